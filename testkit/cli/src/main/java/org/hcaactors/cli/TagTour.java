// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;

/** Part nine of the tour: alice's messages match bob's receives by their tags. */
final class TagTour {
    private static final long MEMORY = 1 << 16;
    private static final int BYTES = 64;
    private static final int LONG = 6000;
    private static final int PLACE = 128;
    private static final Duration PAUSE = Duration.ofNanos(20_000);

    private final TourGround ground;
    private final Side alice;
    private final Side bob;
    private final TagEndpoint outbox;
    private final TagEndpoint inbox;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 900;

    TagTour(TourGround ground, Adapter alices, Adapter bobs) {
        this.ground = ground;
        alice = Side.of(ground.network(), alices, "tags", MEMORY);
        bob = Side.of(ground.network(), bobs, "tags", MEMORY);
        TagEndpointDescription small = TagEndpointDescription.DEFAULT.withMaxUnexpected(16);
        outbox = ground.await(TagEndpoint.open(alice.domain(), small));
        inbox = ground.await(TagEndpoint.open(bob.domain(), small));
    }

    List<RcTour.Step> run() {
        byEndpoints();
        byOperations();
        return steps;
    }

    private int now() {
        ground.runFor(PAUSE);
        return ground.events().size();
    }

    private void step(String what, String expected, String got, int from) {
        steps.add(new RcTour.Step(what, expected, got, from));
    }

    private void byEndpoints() {
        TagPeer peer = ground.await(outbox.addPeer());
        TagPeer receiver = ground.await(inbox.addPeer());
        ground.await(receiver.connect(peer.gid(), peer.number(), ground.terms(RcConnection.DEFAULT)));
        ground.await(peer.connect(receiver.gid(), receiver.number(), ground.terms(RcConnection.DEFAULT)));
        awaited(peer);
        tooEarly(peer);
        fetched(peer);
        masked(peer);
    }

    private TagBuffer letter(int bytes) {
        return TagBuffer.of(alice.region(), 0, bytes);
    }

    private TagBuffer desk(int bytes) {
        return TagBuffer.of(bob.region(), 0, bytes);
    }

    private void awaited(TagPeer peer) {
        int from = now();
        TagReceive receive = inbox.receive(7, desk(BYTES));
        ground.settle();
        ground.await(peer.send(7, letter(BYTES)));
        TagArrival got = ground.await(receive.arrival());
        step("message for a posted receive", "in its buffer", way(got) + copied(), from);
    }

    private void tooEarly(TagPeer peer) {
        int from = now();
        ground.await(peer.send(8, letter(BYTES)));
        ground.runFor(PAUSE);
        TagArrival got = ground.await(inbox.receive(8, desk(BYTES)).arrival());
        step("unexpected message", "copied 64 bytes", way(got) + copied(), from);
    }

    private static String way(TagArrival arrival) {
        return arrival.deliveryPath() == TagArrival.DeliveryPath.EXPECTED
                ? "in its buffer"
                : arrival.deliveryPath().name().toLowerCase(Locale.ROOT);
    }

    private String copied() {
        long bytes = inbox.statistics().copiedBytes();
        return bytes == 0 ? "" : " " + bytes + " bytes";
    }

    /** READ and FIN are sent by the adapter itself: bob's program posts nothing. */
    private void fetched(TagPeer peer) {
        int from = now();
        TagReceive receive = inbox.receive(9, desk(LONG));
        CompletionStage<Void> free = peer.send(9, letter(LONG));
        TagArrival got = ground.await(receive.arrival());
        ground.await(free);
        List<TraceEvent> events = ground.events();
        long posted = events.subList(from, events.size()).stream()
                .filter(event -> event instanceof HcaEvent.WorkPosted work
                        && work.stamp().cause() == 0
                        && work.port().equals(bob.adapter().name()))
                .count();
        String how = way(got) + (posted == 0 ? "" : " by " + posted + " requests");
        step("long message, whose data bob's adapter fetches", "fetched", how, from);
    }

    private void masked(TagPeer peer) {
        int from = now();
        TagReceive receive = inbox.receive(0x700, 0xF00, desk(BYTES));
        ground.settle();
        ground.await(peer.send(0x742, letter(BYTES)));
        TagArrival got = ground.await(receive.arrival());
        step("receive for any tag of 0x7..", "tag 0x742", "tag 0x%x".formatted(got.tag()), from);
    }

    /** Tag matching by direct use of the verbs, without a {@code TagEndpoint}. */
    private final class Hand {
        final CompletionQueue completions = ground.await(bob.context().createCq(63));
        final TagSharedReceiveQueue queue = ground.await(
                bob.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(completions))));
        final Ends<RcEnd> ends = RcEnd.connect(
                ground.network(), Half.on(alice), Half.on(bob).withSrq(queue), ground.terms(RcConnection.DEFAULT));

        void send(long tag) {
            alice.memory().write(0, TagHeader.eager(0, tag).bytes());
            ground.await(ends.a().qp().submit(Send.of(++workId, alice.slice(0, PLACE))));
        }

        TagHandle add(long tag) {
            return queue.add(TagAdd.of(++workId, place(), tag).withSignaled());
        }

        Receive place() {
            return Receive.of(++workId, bob.slice(0, PLACE));
        }

        /** Returns the last completion of so many. */
        WorkCompletion last(int count) {
            return ground.poll(completions, count, PAUSE).getLast();
        }

        TagInfo info(int count) {
            return last(count).tagging().orElse(TagInfo.NONE);
        }
    }

    private void byOperations() {
        Hand hand = new Hand();
        hand.queue.postReceive(hand.place());
        hand.queue.postReceive(hand.place());
        int from = now();
        TagHandle taken = hand.add(7);
        hand.send(7);
        hand.queue.delete(TagDelete.of(++workId, taken).withSignaled());
        step(
                "receive cancelled after a message matched",
                "TM_ERR",
                hand.last(3).status().name(),
                from);
        outOfStep(hand);
    }

    // rule tag-phase
    private void outOfStep(Hand hand) {
        int from = now();
        hand.send(8);
        hand.add(9);
        step(
                "receive added while a message is unhandled",
                "SYNC_REQ",
                hand.info(2).syncRequested() ? "SYNC_REQ" : "in sync",
                from);
        int next = now();
        hand.send(9);
        step(
                "message for this receive, while out of sync",
                "unexpected",
                hand.info(1).matched() ? "matched" : "unexpected",
                next);
        int last = now();
        hand.queue.sync(TagSync.of(++workId, 2).withSignaled());
        hand.send(9);
        step(
                "message for it after the program has handled both",
                "matched",
                hand.info(2).matched() ? "matched" : "unexpected",
                last);
    }
}
