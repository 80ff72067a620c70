// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

// rules rendezvous-dc, rendezvous-finish, rendezvous-incomplete
/**
 * Several processes send messages over DC and keep the data; the receiver's adapter fetches it, from one sender after the
 * other. Occasionally a sender gives a wrong access key, and in the variant with changing GIDs the address used for fetching is
 * removed for a moment. The data of each message arrives once, whole, and its sender is notified once; or it is left to the
 * program, and no sender is notified.
 */
final class DcRendezvous implements Workload {
    static final long TAG = 0x1EF7;
    private static final long KEY = 0x7A6E_0001_0000_0001L;
    private static final int CELLS = 24;
    private static final int MAX_MILLIS = 400;

    /** A message, and the state of its data. */
    private static final class RendezvousMessage {
        final int number;
        final RendezvousSender by;
        final int cell;
        final int bytes;
        final boolean rightKey;
        final CompletionStage<WorkCompletion> sending;
        int arrivals;
        int incomplete;

        RendezvousMessage(
                int number,
                RendezvousSender by,
                int cell,
                int bytes,
                boolean rightKey,
                CompletionStage<WorkCompletion> sending) {
            this.number = number;
            this.by = by;
            this.cell = cell;
            this.bytes = bytes;
            this.rightKey = rightKey;
            this.sending = sending;
        }

        boolean hasEnded() {
            return arrivals + incomplete > 0;
        }

        boolean wasSent() {
            return sending.toCompletableFuture().isDone();
        }

        /** True if its cell at the sender is no longer needed. */
        boolean isOver() {
            return hasEnded() && wasSent();
        }
    }

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final boolean sourcesGo;
    private final Adapter node;

    /** The GID table as created; the last entry is used on both sides of the fetch. */
    private final List<Gid> gids;

    private final Side consumer;
    private final TagSharedReceiveQueue queue;
    private final DcTarget target;
    private final List<RendezvousSender> senders = new ArrayList<>();
    private final List<RendezvousMessage> all = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** By the receive it took: the message that has arrived. */
    private final Map<Long, Integer> taken = new LinkedHashMap<>();

    private Optional<String> complaint = Optional.empty();

    /** Number of the first message sent after all sources were back for good. */
    private int firstOfTheLast = Integer.MAX_VALUE;

    static Workload begin(SweepContext sweep) {
        return begin(sweep, false);
    }

    // rule qp-source-by-index
    /** Begins the variant in which the GID used for fetching is removed for a moment, occasionally. */
    static Workload beginWhereSourcesGo(SweepContext sweep) {
        return begin(sweep, true);
    }

    /** Begins the workload; does nothing if a disaster prevents it. */
    private static Workload begin(SweepContext sweep, boolean sourcesGo) {
        return sweep.<Workload>tryCreate("left data cannot start", () -> new DcRendezvous(sweep, sourcesGo))
                .orElse(() -> {});
    }

    private DcRendezvous(SweepContext sweep, boolean sourcesGo) {
        this.sweep = sweep;
        this.sourcesGo = sourcesGo;
        world = sweep.world();
        random = sweep.random("left data");
        node = sourcesGo
                ? world.network().addAdapter("fetching", Profile.CONNECTX_6, World.DEFAULT_LINK)
                : able(sweep.b().adapter, "fetching");
        gids = sourcesGo
                ? node.port(1).gidTable().reversed()
                : List.of(node.port(1).gidTable().getFirst());
        if (sourcesGo) {
            setGids(gids);
        }
        consumer = Side.of(world.network(), node, "taker", (long) RendezvousSender.CELL * CELLS);
        CompletionQueue completions = world.await(consumer.context().createCq(4 * CELLS));
        completions.completions().subscribe(Subscribers.forEach(this::onCompletion, reason -> {}));
        queue = world.await(consumer.domain()
                .createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(completions)
                        .withMaxTags(CELLS)
                        .withDcRendezvous(attributes().withRnrRetry(6)))));
        target = world.await(
                consumer.domain().createDcTarget(DcTargetDescription.of(completions, queue, DcAccessKey.of(KEY))));
        open(attributes());
        IntStream.range(0, CELLS).forEach(free::add);
        Adapter sending = able(sweep.a().adapter, "leaving");
        for (int i = 1 + random.nextInt(3); i >= 0; i--) {
            senders.add(new RendezvousSender(
                    sweep, sending, "leaves" + i, gids.getLast(), target.number(), KEY, attributes()));
        }
    }

    private void open(RcConnection attributes) {
        GlobalRoute from = GlobalRoute.to(gids.getLast()).withSourceGidIndex(gids.size() - 1);
        QpModify toAnswer = QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(attributes.minRnrTimerCode()),
                new QpAttribute.Av(AddressVector.to(from)),
                new QpAttribute.Mtu(attributes.mtu()));
        world.await(target.modify(attributes.toInit()).thenCompose(init -> target.modify(toAnswer)));
    }

    private void setGids(List<Gid> table) {
        world.network().setGidTable(node, table);
        world.runFor(Duration.ofNanos(1));
    }

    private RcConnection attributes() {
        return sweep.patient(random);
    }

    private Adapter able(Adapter adapter, String name) {
        return sweep.able(adapter, DcRendezvous::canFetch, name, Profile.CONNECTX_6);
    }

    private static boolean canFetch(Profile profile) {
        return profile.tags().dc() && profile.dynamicallyConnected().isSupported();
    }

    @Override
    public void step() {
        sweep.runIfAlive("left data", this::act);
    }

    private void act() {
        if (random.nextInt(6) == 0) {
            world.runFor(Duration.ofNanos(random.nextInt(20_000)));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            leave(senders.get(random.nextInt(senders.size())), false);
        }
        if (sourcesGo && random.nextInt(5) == 0) {
            sourceGoes();
        }
    }

    /**
     * Removes the GID when all messages have arrived, and perhaps not all data, for as long as the fetching requests need to
     * give up one after the other.
     */
    private void sourceGoes() {
        for (int i = 0; i < MAX_MILLIS && !all.stream().allMatch(RendezvousMessage::wasSent); i++) {
            world.runFor(Duration.ofNanos(500));
        }
        setGids(gids.subList(0, 1));
        world.runFor(Duration.ofNanos(random.nextInt(3_000_000)));
        setGids(gids);
        world.runFor(Duration.ofNanos(300_000));
    }

    /**
     * Sends a message, after posting a receive for it.
     *
     * @param surely with the right key
     */
    private void leave(RendezvousSender sender, boolean surely) {
        int bytes = MarkedBytes.MIN_BYTES + random.nextInt(RendezvousSender.CELL - MarkedBytes.MIN_BYTES + 1);
        boolean rightKey = random.nextInt(8) > 0 || surely;
        OptionalInt from = freeCell(sender);
        Integer into = sender.hasFailed() || from.isEmpty() ? null : free.poll();
        if (into == null) {
            return;
        }
        Receive receive = Receive.of(into, consumer.slice((long) into * RendezvousSender.CELL, RendezvousSender.CELL));
        queue.add(TagAdd.of(into, receive, TAG).withSignaled());
        int cell = from.getAsInt();
        int number = all.size();
        all.add(new RendezvousMessage(
                number, sender, cell, bytes, rightKey, sender.leave(number, cell, bytes, rightKey)));
    }

    private OptionalInt freeCell(RendezvousSender sender) {
        List<Integer> used = all.stream()
                .filter(each -> each.by == sender && !each.isOver())
                .map(each -> each.cell)
                .toList();
        return IntStream.range(0, RendezvousSender.CELLS)
                .filter(cell -> !used.contains(cell))
                .findFirst();
    }

    private void onCompletion(WorkCompletion done) {
        if (done.kind() != CompletionKind.TM_RECV) {
            return;
        }
        TagInfo tagInfo = done.tagging().orElse(TagInfo.NONE);
        tagInfo.info().ifPresent(info -> taken.put(done.workId(), info.appContext()));
        boolean isComplete = done.isSuccess() && tagInfo.dataValid();
        if (!isComplete && done.isSuccess()) {
            return;
        }
        Optional<RendezvousMessage> message = Optional.ofNullable(taken.remove(done.workId()))
                .filter(number -> number >= 0 && number < all.size())
                .map(all::get);
        if (message.isEmpty()) {
            complain("receive " + done.workId() + " ended with " + done.status() + " but got no message");
            return;
        }
        if (isComplete) {
            verifyArrival(message.get(), done);
        } else {
            message.get().incomplete++;
        }
        free.add((int) done.workId());
    }

    private void verifyArrival(RendezvousMessage message, WorkCompletion done) {
        message.arrivals++;
        if (!consumer.memory().isMapped()) {
            return;
        }
        byte[] bytes = consumer.memory().read(done.workId() * RendezvousSender.CELL, (int) done.lengthBytes());
        if (!Arrays.equals(bytes, MarkedBytes.of(message.number, message.bytes))) {
            complain("message " + message.number + " arrived with other bytes than the sender announced");
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("left data: " + what);
        }
    }

    /**
     * In the variant with changing GIDs, sends a message from every sender once all GIDs are back: the fetching initiator must
     * work again, whatever happened to it.
     */
    @Override
    public void finish() {
        if (sourcesGo) {
            close();
            firstOfTheLast = all.size();
            sweep.runIfAlive("left data", () -> senders.forEach(sender -> leave(sender, true)));
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < MAX_MILLIS && !all.stream().allMatch(RendezvousMessage::hasEnded); i++) {
            world.runFor(Duration.ofMillis(1));
        }
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
        all.forEach(message -> judge(message, severity));
    }

    private void judge(RendezvousMessage message, FaultSeverity severity) {
        int notified = message.by.notified(message.number);
        boolean once = message.arrivals + message.incomplete == 1 || message.by.hasFailed() && !message.hasEnded();
        boolean mayBeLost = severity != FaultSeverity.CALM || sourcesGo && message.number < firstOfTheLast;
        boolean arrivedAsRequired = mayBeLost || message.arrivals == (message.rightKey ? 1 : 0);
        boolean mayBeNotified = notified <= message.arrivals && (notified == message.arrivals || mayBeLost);
        if (!once || !arrivedAsRequired || !mayBeNotified || !message.rightKey && message.arrivals > 0) {
            throw new AssertionError(
                    ("left data: message %d, announced with a %s key, arrived %d times, was left to the program %d"
                                    + " times, and its sender was notified %d times")
                            .formatted(
                                    message.number,
                                    message.rightKey ? "right" : "wrong",
                                    message.arrivals,
                                    message.incomplete,
                                    notified));
        }
    }
}
