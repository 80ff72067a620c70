// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.pair.MarkedBytes;

// rules tag-match, tag-phase, rendezvous-finish
/**
 * Tagged messages, short and long, sent by one thread while another receives them; then both endpoints are closed, mostly while
 * unmatched messages and receives remain.
 */
final class TaggedRound implements Round {
    private static final int CELL = 512;
    private static final int MESSAGES = 12;
    /** Messages, and receives, that exist when the endpoints close; half of them match. */
    private static final int BESIDE = 6;

    private static final long NOBODYS = 99;

    /** Fewer list places than messages, so that the adapter's list is full and messages wait for a place. */
    private static final TagEndpointDescription TERMS = TagEndpointDescription.DEFAULT
            .withMaxEagerBytes(CELL / 2)
            .withMaxListed(3)
            .withMaxUnexpected(4)
            .withMaxSends(MESSAGES)
            .withMaxReceives(2 * MESSAGES);

    /** An expected message. The receive of an even tag matches that tag only, that of an odd tag any odd tag. */
    private record Expected(int cell, TagReceive receive) {}

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            TagEndpoint from = environment.await(TagEndpoint.open(left.domain, TERMS));
            TagEndpoint into = environment.await(TagEndpoint.open(right.domain, TERMS));
            TagPeer to = joined(environment, from, into);
            List<Integer> lengths = IntStream.range(0, MESSAGES)
                    .map(i -> MarkedBytes.MIN_BYTES + environment.random().nextInt(CELL - MarkedBytes.MIN_BYTES))
                    .boxed()
                    .toList();
            exchanged(environment, left, right, to, into, lengths);
            closed(environment, left, right, to, from, into);
        }
    }

    private static TagPeer joined(WorkerEnvironment environment, TagEndpoint from, TagEndpoint into) {
        TagPeer local = environment.await(from.addPeer());
        TagPeer peer = environment.await(into.addPeer());
        environment.await(peer.connect(local.gid(), local.number(), RcConnection.DEFAULT));
        environment.await(local.connect(peer.gid(), peer.number(), RcConnection.DEFAULT));
        return local;
    }

    private static void exchanged(
            WorkerEnvironment environment,
            SoakContext left,
            SoakContext right,
            TagPeer to,
            TagEndpoint into,
            List<Integer> lengths) {
        List<CompletionStage<Void>> sent = new ArrayList<>();
        List<Expected> expected = new ArrayList<>();
        environment.together(List.of(
                () -> {
                    for (int tag = 0; tag < MESSAGES; tag++) {
                        left.memory.write((long) tag * CELL, MarkedBytes.of(tag, lengths.get(tag)));
                        sent.add(environment.given("sending", tag, to.send(tag, buffer(left, tag, lengths.get(tag)))));
                    }
                },
                () -> {
                    TagReceive nobodys = into.receive(NOBODYS, buffer(right, MESSAGES, CELL));
                    for (int tag = 0; tag < MESSAGES; tag++) {
                        int mask = tag % 2 == 0 ? -1 : 1;
                        expected.add(new Expected(tag, into.receive(tag & mask, mask, buffer(right, tag, CELL))));
                    }
                    WorkerEnvironment.check(
                            environment.await(nobodys.cancel()),
                            "the cancellation of a receive without a matching message must succeed, but failed");
                }));
        // An exception of a thread is recorded already, and its remaining work can't be waited for.
        if (!environment.openStages().isClean()) {
            return;
        }
        sent.forEach(environment::await);
        expected.forEach(each -> verify(environment, right, each, lengths));
    }

    private static TagBuffer buffer(SoakContext of, int cell, int lengthBytes) {
        return TagBuffer.of(of.region, (long) cell * CELL, lengthBytes);
    }

    /**
     * Checks a message. If several receives match, the first message takes the first one: their tags equal those of the cells.
     */
    private static void verify(
            WorkerEnvironment environment, SoakContext right, Expected expected, List<Integer> lengths) {
        TagArrival arrival = environment.await(expected.receive.arrival());
        int tag = expected.cell;
        WorkerEnvironment.check(
                arrival.tag() == tag, "receive " + tag + " must get message " + tag + ", but got " + arrival);
        byte[] found = right.memory.read((long) tag * CELL, lengths.get(tag));
        int at = Arrays.mismatch(found, MarkedBytes.of(tag, lengths.get(tag)));
        WorkerEnvironment.check(
                arrival.lengthBytes() == lengths.get(tag) && at < 0,
                "message " + tag + " of " + lengths.get(tag) + " bytes arrived as " + arrival
                        + ", and its bytes differ from byte " + at + " on (-1: nowhere)");
        environment.tally().requests.increment();
        environment.tally().transferred.add(found.length);
        environment.tally().verified.add(found.length);
    }

    /** Closes the endpoints: what is in progress ends, and nothing of them remains. */
    private static void closed(
            WorkerEnvironment environment,
            SoakContext left,
            SoakContext right,
            TagPeer to,
            TagEndpoint from,
            TagEndpoint into) {
        List<TagReceive> waiting = new ArrayList<>();
        for (int i = 0; i < BESIDE; i++) {
            int tag = i;
            TagReceive receive = into.receive(tag, buffer(right, tag, CELL));
            environment.given("receiving", tag, receive.arrival());
            waiting.add(receive);
        }
        Race race = new Race(environment);
        for (int i = 0; i < BESIDE; i++) {
            int tag = BESIDE / 2 + i;
            race.verb(
                    "sending during the close",
                    () -> to.send(tag, buffer(left, tag, tag % 2 == 0 ? CELL : 8)),
                    done -> {});
        }
        for (TagReceive each : waiting.subList(0, BESIDE / 2)) {
            race.verb("cancelling a receive during the close", each::cancel, done -> {});
        }
        race.verb("adding a peer during the close", into::addPeer, peer -> {});
        race.verb(
                "posting a receive during the close",
                () -> into.receive(0, buffer(right, 0, CELL)).arrival(),
                done -> {});
        race.verb("closing the sending endpoint", from::closeAsync, done -> {});
        race.verb("closing the receiving endpoint", into::closeAsync, done -> {});
        race.run();
    }
}
