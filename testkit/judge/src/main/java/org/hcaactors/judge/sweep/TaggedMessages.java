// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

// rules tag-match, tag-phase, rendezvous-finish
/**
 * Two processes send tagged messages to a third, short and long, some before and some after a matching receive is posted;
 * receives mask bits of their tags, are cancelled, and exceed the adapter's tag list. Each message arrives once, whole, in a
 * buffer of its own; and of two messages of one sender that match a receive, it gets the older one, unless an older receive has
 * it.
 */
final class TaggedMessages implements Workload {
    private static final int CELL = 8192;
    private static final int CELLS = 96;
    private static final int TAGS = 4;
    private static final int MAX_MILLIS = 400;
    /** 160 us: each time that one message finds no receive, all later ones are sent again. */
    private static final int RNR_TIMER = 8;

    /** A message that was sent. */
    private static final class Sent {
        final int sender;
        final long tag;
        final int lengthBytes;
        final CompletionStage<Void> stage;
        Optional<Wanted> by = Optional.empty();

        Sent(int sender, long tag, int lengthBytes, CompletionStage<Void> stage) {
            this.sender = sender;
            this.tag = tag;
            this.lengthBytes = lengthBytes;
            this.stage = stage;
        }
    }

    /** A receive; receives are numbered in order. */
    private static final class Wanted {
        final int number;
        final long tag;
        final long mask;
        final TagReceive receive;
        final int cell;

        Wanted(int number, long tag, long mask, TagReceive receive, int cell) {
            this.number = number;
            this.tag = tag;
            this.mask = mask;
            this.receive = receive;
            this.cell = cell;
        }

        boolean matches(long requested) {
            return (requested & mask) == tag;
        }

        boolean hasEnded() {
            return receive.arrival().toCompletableFuture().isDone();
        }

        boolean hasArrived() {
            CompletableFuture<TagArrival> arrival = receive.arrival().toCompletableFuture();
            return arrival.isDone() && !arrival.isCompletedExceptionally();
        }
    }

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    /** Random stream for later additions, so that seeds keep their earlier actions. */
    private final SplittableRandom apart;

    private final TagEndpointDescription attributes;
    private final Side into;
    private final TaggedBuffers places;
    private final TagEndpoint consumer;
    /** True if the endpoint is left for its context to close. */
    private final boolean staysOpen;

    private final List<Side> from = new ArrayList<>();
    /** For each sender: true if its connection has a timeout. */
    private final List<Boolean> haveTimeout = new ArrayList<>();

    private final List<TagEndpoint> senders = new ArrayList<>();
    private final List<TagPeer> peers = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<Wanted> requested = new ArrayList<>();
    private final ArrayDeque<Integer> freeCells = cells();
    private final List<ArrayDeque<Integer>> sourceCells = new ArrayList<>();
    private Optional<String> complaint = Optional.empty();

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("tagged messages cannot start", () -> new TaggedMessages(sweep))
                .orElse(() -> {});
    }

    private TaggedMessages(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("tagged messages");
        attributes = TagEndpointDescription.DEFAULT
                .withMaxEagerBytes(256 << random.nextInt(4))
                .withMaxListed(2 + random.nextInt(12))
                .withMaxUnexpected(4 + random.nextInt(12))
                .withMaxSends(16)
                .withMaxReceives(64);
        into = side(sweep.b().adapter, "tagged-taker");
        apart = sweep.random("places of tagged messages");
        places = TaggedBuffers.of(world, into, (long) CELL * CELLS, apart);
        staysOpen = apart.nextInt(3) == 0;
        consumer = world.await(TagEndpoint.open(into.domain(), attributes));
        for (int i = random.nextInt(2); i >= 0; i--) {
            begin("tagged-sender" + i);
        }
    }

    private static ArrayDeque<Integer> cells() {
        return IntStream.range(0, CELLS).boxed().collect(Collectors.toCollection(ArrayDeque::new));
    }

    private Side side(Adapter adapter, String name) {
        Adapter able = sweep.able(adapter, can -> can.tags().isSupported(), name, Profile.CONNECTX_5);
        return Side.of(world.network(), able, name, (long) CELL * CELLS);
    }

    private void begin(String name) {
        Side side = side(sweep.a().adapter, name);
        TagEndpoint endpoint = world.await(TagEndpoint.open(side.domain(), attributes));
        TagPeer own = world.await(endpoint.addPeer());
        TagPeer peer = world.await(consumer.addPeer());
        RcConnection patient = sweep.patient(random).withMinRnrTimerCode(RNR_TIMER);
        boolean hasTimeout = apart.nextInt(6) != 0;
        RcConnection connection = hasTimeout ? patient : patient.withTimeoutCode(0);
        world.await(peer.connect(own.gid(), own.number(), connection.reversed()));
        world.await(own.connect(peer.gid(), peer.number(), connection));
        from.add(side);
        haveTimeout.add(hasTimeout);
        senders.add(endpoint);
        peers.add(own);
        sourceCells.add(cells());
    }

    @Override
    public void step() {
        sweep.runIfAlive("tagged messages", this::act);
    }

    private void act() {
        switch (random.nextInt(8)) {
            case 0 -> cancelOne();
            case 1, 2, 3 -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    want(random.nextInt(4) == 0 ? 0 : -1L);
                }
            }
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    send();
                }
            }
        }
    }

    private void send() {
        int sender = random.nextInt(peers.size());
        long tag = random.nextInt(TAGS);
        int length = MarkedBytes.MIN_BYTES
                + random.nextInt(random.nextInt(4) == 0 ? CELL - 8 : attributes.maxEagerBytes() - 8);
        Integer cell = sourceCells.get(sender).poll();
        if (cell == null || open(sender) >= attributes.maxSends() / 2) {
            Optional.ofNullable(cell).ifPresent(sourceCells.get(sender)::add);
            return;
        }
        Side side = from.get(sender);
        byte[] bytes = MarkedBytes.of(sent.size(), length);
        side.memory().write((long) cell * CELL, bytes);
        CompletionStage<Void> stage =
                peers.get(sender).send(tag, TagBuffer.of(side.region(), (long) cell * CELL, length));
        stage.whenComplete((done, reason) -> sourceCells.get(sender).add(cell));
        sent.add(new Sent(sender, tag, length, stage));
    }

    private long open(int sender) {
        return sent.stream()
                .filter(each -> each.sender == sender && !isDone(each.stage))
                .count();
    }

    private static boolean isDone(CompletionStage<?> stage) {
        return stage.toCompletableFuture().isDone();
    }

    private void want(long mask) {
        long tag = random.nextInt(TAGS) & mask;
        Integer cell = waiting() < attributes.maxReceives() ? freeCells.poll() : null;
        if (cell == null) {
            return;
        }
        TagReceive receive = consumer.receive(tag, mask, places.buffer((long) cell * CELL, CELL));
        Wanted made = new Wanted(requested.size(), tag, mask, receive, cell);
        requested.add(made);
        receive.arrival().whenComplete((arrival, reason) -> {
            if (reason == null) {
                verifyArrival(made, arrival);
            }
            freeCells.add(cell);
        });
    }

    private long waiting() {
        return requested.stream().filter(each -> !each.hasEnded()).count();
    }

    private void verifyArrival(Wanted by, TagArrival arrival) {
        if (!places.memory().isMapped() || arrival.lengthBytes() < MarkedBytes.MIN_BYTES) {
            complain("a message of " + arrival.lengthBytes() + " bytes arrived, but none was sent");
            return;
        }
        byte[] bytes = places.memory().read((long) by.cell * CELL, arrival.lengthBytes());
        long number = MarkedBytes.number(bytes);
        if (number < 0 || number >= sent.size()) {
            complain("bytes of message " + number + " arrived, but it was never sent");
            return;
        }
        Sent message = sent.get((int) number);
        if (message.by.isPresent()) {
            complain("message " + number + " arrived twice");
        } else if (!by.matches(message.tag) || message.tag != arrival.tag()) {
            complain("message " + number + " with tag " + message.tag + " arrived with tag " + arrival.tag()
                    + " at a receive for tag " + by.tag);
        } else if (!Arrays.equals(bytes, MarkedBytes.of(number, message.lengthBytes))) {
            complain("message " + number + " arrived with other bytes than it was sent with");
        }
        message.by = Optional.of(by);
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("tagged messages: " + what);
        }
    }

    private void cancelOne() {
        List<Wanted> open = requested.stream().filter(each -> !each.hasEnded()).toList();
        if (!open.isEmpty()) {
            open.get(random.nextInt(open.size())).receive.cancel();
        }
    }

    /**
     * Posts receives of any tag while any message waits; what is left is destroyed with its endpoint. This is done before other
     * workloads close, since a sender without a matching receive retransmits as long as it waits.
     */
    @Override
    public void finish() {
        for (int i = 0; i < MAX_MILLIS && sent.stream().anyMatch(each -> !isDone(each.stage) || unclaimed(each)); i++) {
            try {
                want(0);
            } catch (VerbsException refused) {
                break;
            }
            world.runFor(Duration.ofMillis(1));
        }
        for (TagEndpoint each : senders) {
            closed(each);
        }
        if (!staysOpen) {
            closed(consumer);
        }
    }

    /** Checks a run without faults: no message may fail. */
    private void judgeCalm() {
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).stage.toCompletableFuture().isCompletedExceptionally()) {
                throw new AssertionError("tagged messages: message " + i + " with tag " + sent.get(i).tag + " failed");
            }
        }
        for (Wanted receive : requested) {
            CompletableFuture<TagArrival> arrival = receive.receive.arrival().toCompletableFuture();
            boolean cancelled = arrival.isCompletedExceptionally()
                    && arrival.exceptionNow() instanceof VerbsException reason
                    && reason.errno() == Errno.ECANCELED;
            if (arrival.isCompletedExceptionally() && !cancelled) {
                throw new AssertionError(
                        "tagged messages: receive " + receive.number + " failed: " + arrival.exceptionNow());
            }
        }
    }

    /** True if an older matching receive did not arrive, and the connection has no timeout. */
    private boolean mayWaitForAcknowledgement(Sent message, int number) {
        return !haveTimeout.get(message.sender)
                && requested.stream()
                        .limit(number)
                        .anyMatch(receive -> receive.matches(message.tag) && !receive.hasArrived());
    }

    private static boolean unclaimed(Sent message) {
        CompletableFuture<Void> stage = message.stage.toCompletableFuture();
        return message.by.isEmpty() && !stage.isCompletedExceptionally();
    }

    /** Closes an endpoint; may be refused after a disaster. */
    private void closed(TagEndpoint endpoint) {
        sweep.runIfAlive("tagged messages: closing " + endpoint, () -> world.await(endpoint.closeAsync()));
    }

    @Override
    public void atRest() {
        FaultSeverity severity = sweep.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        complaint.ifPresent(what -> {
            throw new AssertionError(what);
        });
        noneWaits();
        if (severity == FaultSeverity.CALM) {
            judgeCalm();
        }
        noneWasOvertaken();
    }

    private void noneWaits() {
        for (int i = 0; i < sent.size(); i++) {
            Sent message = sent.get(i);
            if (!isDone(message.stage)) {
                throw new AssertionError(
                        "tagged messages: message " + i + " has not completed, although its endpoint is closed");
            }
            if (sweep.severity() == FaultSeverity.CALM && unclaimed(message)) {
                throw new AssertionError(
                        "tagged messages: message " + i + " with tag " + message.tag + " never arrived");
            }
        }
        for (Wanted receive : requested) {
            if (!staysOpen && !receive.hasEnded()) {
                throw new AssertionError("tagged messages: receive " + receive.number
                        + " has not completed, although its endpoint is closed");
            }
        }
    }

    /**
     * Checks the order: if a receive matched an older message of the same sender but got a younger one, an older receive got
     * the older message, or fetched its data and is still open: without a timeout, a lost acknowledgement of its FIN is not
     * noticed, although the sender received the FIN.
     */
    private void noneWasOvertaken() {
        for (int younger = 0; younger < sent.size(); younger++) {
            Optional<Wanted> by = sent.get(younger).by;
            for (int older = 0; older < younger && by.isPresent(); older++) {
                Sent first = sent.get(older);
                boolean blocked = first.sender == sent.get(younger).sender
                        && by.get().matches(first.tag)
                        && !first.stage.toCompletableFuture().isCompletedExceptionally()
                        && first.by
                                .map(other -> other.number > by.get().number)
                                .orElseGet(() -> !mayWaitForAcknowledgement(first, by.get().number));
                if (blocked) {
                    throw new AssertionError(
                            "tagged messages: receive %d got message %d instead of the earlier message %d, which was received by %s"
                                    .formatted(
                                            by.get().number,
                                            younger,
                                            older,
                                            first.by
                                                    .map(other -> "receive " + other.number)
                                                    .orElse("no receive")));
                }
            }
        }
    }
}
