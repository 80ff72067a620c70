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
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Tagging;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagSrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

// rules rendezvous-dc, rendezvous-finish, rendezvous-incomplete
/**
 * Some processes send messages over DC and keep their data; the adapter of the one that they are for fetches them, from one sender after
 * the other. Now and then a sender gives a wrong access key, and where the sources go, the address that is asked from does, for a moment. Each message's data come once, whole, and its sender is told once; or they
 * are left to the program, and nobody is told.
 */
final class LeftData implements Strand {
    static final long TAG = 0x1EF7;
    private static final long KEY = 0x7A6E_0001_0000_0001L;
    private static final int CELLS = 24;
    private static final int MOST_MILLIS = 400;

    /** A message, and what became of its data. */
    private static final class Left {
        final int number;
        final LeavingSender by;
        final int cell;
        final int bytes;
        final boolean rightKey;
        final CompletionStage<WorkCompletion> sending;
        int came;
        int incomplete;

        Left(
                int number,
                LeavingSender by,
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
            return came + incomplete > 0;
        }

        boolean wasSent() {
            return sending.toCompletableFuture().isDone();
        }

        /** What it stands on at its sender is of use to nobody any more. */
        boolean isOver() {
            return hasEnded() && wasSent();
        }
    }

    private final Setting setting;
    private final World world;
    private final SplittableRandom lots;
    private final boolean sourcesGo;
    private final Adapter node;

    /** As it was made; the last one is asked from, and asked at. */
    private final List<Gid> gids;

    private final Side taker;
    private final TagSharedReceiveQueue queue;
    private final DcTarget target;
    private final List<LeavingSender> senders = new ArrayList<>();
    private final List<Left> all = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** By the receive that it took: which message has come. */
    private final Map<Long, Integer> taken = new LinkedHashMap<>();

    private Optional<String> complaint = Optional.empty();

    /** Number of the first message that was left when all sources were there for good. */
    private int firstOfTheLast = Integer.MAX_VALUE;

    static Strand begin(Setting setting) {
        return begin(setting, false);
    }

    // rule qp-source-by-index
    /** Where the address that the data are asked for from goes for a moment, now and then. */
    static Strand beginWhereSourcesGo(Setting setting) {
        return begin(setting, true);
    }

    /** Nothing to do where a disaster has struck. */
    private static Strand begin(Setting setting, boolean sourcesGo) {
        return setting.<Strand>daring("left data can't begin", () -> new LeftData(setting, sourcesGo))
                .orElse(() -> {});
    }

    private LeftData(Setting setting, boolean sourcesGo) {
        this.setting = setting;
        this.sourcesGo = sourcesGo;
        world = setting.world();
        lots = setting.lots("left data");
        node = sourcesGo
                ? world.network().addAdapter("fetching", Profile.CONNECTX_6, World.DEFAULT_LINK)
                : able(setting.b().adapter, "fetching");
        gids = sourcesGo
                ? node.port(1).gidTable().reversed()
                : List.of(node.port(1).gidTable().getFirst());
        if (sourcesGo) {
            setGids(gids);
        }
        taker = Side.of(world.network(), node, "taker", (long) LeavingSender.CELL * CELLS);
        CompletionQueue completions = world.await(taker.context().createCq(4 * CELLS));
        completions.completions().subscribe(Subscribers.forEach(this::heard, why -> {}));
        queue = world.await(taker.domain()
                .createTagSrq(TagSrqDescription.of(completions)
                        .withMaxTags(CELLS)
                        .withDcRendezvous(terms().withRnrRetry(6))));
        target = world.await(taker.domain().createDcTarget(DcTargetDescription.of(completions, queue, KEY)));
        open(terms());
        IntStream.range(0, CELLS).forEach(free::add);
        Adapter leaving = able(setting.a().adapter, "leaving");
        for (int i = 1 + lots.nextInt(3); i >= 0; i--) {
            senders.add(
                    new LeavingSender(setting, leaving, "leaves" + i, gids.getLast(), target.number(), KEY, terms()));
        }
    }

    private void open(RcConnection terms) {
        GlobalRoute from = GlobalRoute.to(gids.getLast()).withSourceGidIndex(gids.size() - 1);
        QpModify toAnswer = QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(terms.minRnrTimerCode()),
                new QpAttribute.Av(AddressVector.to(from)),
                new QpAttribute.Mtu(terms.mtu()));
        world.await(target.modify(terms.toInit()).thenCompose(init -> target.modify(toAnswer)));
    }

    private void setGids(List<Gid> table) {
        world.network().setGidTable(node, table);
        world.runFor(Duration.ofNanos(1));
    }

    private RcConnection terms() {
        return setting.patient(lots);
    }

    private Adapter able(Adapter there, String name) {
        return setting.able(there, LeftData::canFetch, name, Profile.CONNECTX_6);
    }

    private static boolean canFetch(Profile profile) {
        return profile.tags().overDc() && profile.dynamicallyConnected().isThere();
    }

    @Override
    public void step() {
        setting.dares("left data", this::act);
    }

    private void act() {
        if (lots.nextInt(6) == 0) {
            world.runFor(Duration.ofNanos(lots.nextInt(20_000)));
        }
        for (int i = lots.nextInt(4); i >= 0; i--) {
            leave(senders.get(lots.nextInt(senders.size())), false);
        }
        if (sourcesGo && lots.nextInt(5) == 0) {
            sourceGoes();
        }
    }

    /** When all messages are there, and perhaps not all data: for as long as who fetches gives up one after the other. */
    private void sourceGoes() {
        for (int i = 0; i < MOST_MILLIS && !all.stream().allMatch(Left::wasSent); i++) {
            world.runFor(Duration.ofNanos(500));
        }
        setGids(gids.subList(0, 1));
        world.runFor(Duration.ofNanos(lots.nextInt(3_000_000)));
        setGids(gids);
        world.runFor(Duration.ofNanos(300_000));
    }

    /**
     * A receive waits for it before it is sent.
     *
     * @param surely with the right key
     */
    private void leave(LeavingSender sender, boolean surely) {
        int bytes = MarkedBytes.LEAST_BYTES + lots.nextInt(LeavingSender.CELL - MarkedBytes.LEAST_BYTES + 1);
        boolean rightKey = lots.nextInt(8) > 0 || surely;
        OptionalInt from = freeCell(sender);
        Integer into = sender.hasFailed() || from.isEmpty() ? null : free.poll();
        if (into == null) {
            return;
        }
        Receive receive = Receive.of(into, taker.slice((long) into * LeavingSender.CELL, LeavingSender.CELL));
        queue.add(TagAdd.of(into, receive, TAG).signaled());
        int cell = from.getAsInt();
        int number = all.size();
        all.add(new Left(number, sender, cell, bytes, rightKey, sender.leave(number, cell, bytes, rightKey)));
    }

    private OptionalInt freeCell(LeavingSender sender) {
        List<Integer> used = all.stream()
                .filter(each -> each.by == sender && !each.isOver())
                .map(each -> each.cell)
                .toList();
        return IntStream.range(0, LeavingSender.CELLS)
                .filter(cell -> !used.contains(cell))
                .findFirst();
    }

    private void heard(WorkCompletion done) {
        if (done.kind() != CompletionKind.TM_RECV) {
            return;
        }
        Tagging said = done.tagging().orElse(Tagging.NONE);
        said.info().ifPresent(info -> taken.put(done.workId(), info.appContext()));
        boolean hasCome = done.isSuccess() && said.dataValid();
        if (!hasCome && done.isSuccess()) {
            return;
        }
        Optional<Left> message = Optional.ofNullable(taken.remove(done.workId()))
                .filter(number -> number >= 0 && number < all.size())
                .map(all::get);
        if (message.isEmpty()) {
            complain("receive " + done.workId() + " ends with " + done.status() + " and had no message");
            return;
        }
        if (hasCome) {
            came(message.get(), done);
        } else {
            message.get().incomplete++;
        }
        free.add((int) done.workId());
    }

    private void came(Left message, WorkCompletion done) {
        message.came++;
        if (!taker.memory().isMapped()) {
            return;
        }
        byte[] bytes = taker.memory().read(done.workId() * LeavingSender.CELL, (int) done.lengthBytes());
        if (!Arrays.equals(bytes, MarkedBytes.of(message.number, message.bytes))) {
            complain("message " + message.number + " came with other bytes than it was left with");
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("left data: " + what);
        }
    }

    /** Where sources went, all are there: whatever befell the initiator that fetches, it goes on. */
    @Override
    public void windUp() {
        if (sourcesGo) {
            close();
            firstOfTheLast = all.size();
            setting.dares("left data", () -> senders.forEach(sender -> leave(sender, true)));
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < MOST_MILLIS && !all.stream().allMatch(Left::hasEnded); i++) {
            world.runFor(Duration.ofMillis(1));
        }
    }

    @Override
    public void atRest() {
        Severity weather = setting.weather();
        if (weather == Severity.DISASTER || weather == Severity.HOSTILE) {
            return;
        }
        complaint.ifPresent(what -> {
            throw new AssertionError(what);
        });
        all.forEach(message -> judge(message, weather));
    }

    private void judge(Left message, Severity weather) {
        int told = message.by.told(message.number);
        boolean once = message.came + message.incomplete == 1 || message.by.hasFailed() && !message.hasEnded();
        boolean mayBeLost = weather != Severity.CALM || sourcesGo && message.number < firstOfTheLast;
        boolean asItMust = mayBeLost || message.came == (message.rightKey ? 1 : 0);
        boolean mayBeTold = told <= message.came && (told == message.came || mayBeLost);
        if (!once || !asItMust || !mayBeTold || !message.rightKey && message.came > 0) {
            throw new AssertionError(
                    ("left data: message %d, left with a %s key, came %d times, was left to the program %d"
                                    + " times, and its sender was told %d times")
                            .formatted(
                                    message.number,
                                    message.rightKey ? "right" : "wrong",
                                    message.came,
                                    message.incomplete,
                                    told));
        }
    }
}
