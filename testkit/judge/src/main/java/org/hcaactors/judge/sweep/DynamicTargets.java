// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * Several initiators of two nodes ask several targets of two others over DC, with hardly more responders than are asked for:
 * they connect, switch, fall idle and are told to come again. Now and then a request brings a wrong access key or names no
 * target, an initiator is reset, or a target is destroyed and another made. Each message with a number must come once, to
 * the target that it names, and nothing is added twice.
 */
final class DynamicTargets implements Strand {
    private static final int FOR_EVER = 7;
    private static final int MOST_MILLIS = 100;
    private static final int AT_FIRST = 8;
    /** Longer than a session that is idle lasts. */
    private static final int LONGEST_PAUSE_NANOS = 90_000;

    /** A target that spares more than the pool has serves nobody. */
    private static final int MOST_TIGHT = 3;

    private static final int NO_SUCH_TARGET = 0xFF_FFFD;

    /** A message with a number that is on its way, or came. */
    private record Numbered(DcAsked to, int cell, int bytes) {}

    private final Setting setting;
    private final World world;
    private final SplittableRandom lots;
    private final byte[] cells = new byte[DcAsked.CELL * DcAsked.CELLS];
    private final List<DcAsked> asked = new ArrayList<>();
    private final List<DcAsker> askers = new ArrayList<>();

    /** By its number: what it is, and how often it came. */
    private final Map<Integer, Numbered> sent = new LinkedHashMap<>();

    private final Map<Integer, Integer> came = new LinkedHashMap<>();

    /** Requests of which a target is asked, and how they may fail besides. */
    private final Map<DcAsked, List<Set<Status>>> asking = new LinkedHashMap<>();

    /** How often a target's word was to be added to, and how often that succeeded. */
    private final Map<DcAsked, long[]> added = new LinkedHashMap<>();

    private Optional<String> complaint = Optional.empty();
    private int number;

    DynamicTargets(Setting setting) {
        this.setting = setting;
        world = setting.world();
        lots = setting.lots("dynamic");
        lots.nextBytes(cells);
        Adapter few = world.network().addAdapter("few", fewResponders(), World.DEFAULT_LINK);
        Adapter many = able(setting.b().adapter, "many");
        asked(new DcAsked.Kind(many, "asked", false, handshake()));
        asked(new DcAsked.Kind(many, "sparing", true, tight()));
        for (int i = 1 + lots.nextInt(2); i > 0; i--) {
            asked(new DcAsked.Kind(few, "pooled " + i, true, lots.nextBoolean() ? tight() : handshake()));
        }
        Adapter node = able(setting.a().adapter, "asking-any");
        for (int i = 1 + lots.nextInt(3); i > 0; i--) {
            asker(node, "asks " + i);
        }
        for (int i = 1 + lots.nextInt(2); i > 0; i--) {
            asker(few, "asks too " + i);
        }
    }

    private Profile fewResponders() {
        DcCapabilities plain = Profile.CONNECTX_6.dynamicallyConnected();
        return Profile.CONNECTX_6.with(
                plain.withResponders(MOST_TIGHT + lots.nextInt(2)).withIdleNanos(10_000 + lots.nextInt(4) * 10_000));
    }

    private Adapter able(Adapter there, String name) {
        return setting.able(there, can -> can.dynamicallyConnected().isThere(), name, Profile.CONNECTX_5);
    }

    private UnaryOperator<DcTargetDescription> handshake() {
        return lots.nextInt(3) == 0 ? DcTargetDescription::forcingFullHandshake : UnaryOperator.identity();
    }

    private UnaryOperator<DcTargetDescription> tight() {
        UnaryOperator<DcTargetDescription> handshake = handshake();
        int most = 1 + lots.nextInt(MOST_TIGHT);
        int spared = lots.nextInt(most);
        return wanted -> handshake.apply(wanted.withMostResponders(most).withSparedResponders(spared));
    }

    private void asked(DcAsked.Kind kind) {
        DcAsked made = new DcAsked(setting, kind, terms(), this::heard);
        for (int i = 0; i < AT_FIRST; i++) {
            made.receive();
        }
        asked.add(made);
        added.put(made, new long[2]);
    }

    private void asker(Adapter node, String name) {
        askers.add(new DcAsker(setting, node, name, cells, lots.nextInt(3) == 0, terms()));
    }

    private RcConnection terms() {
        return setting.patient(lots).withRnrRetry(FOR_EVER);
    }

    private <T> T any(List<T> of) {
        return of.get(lots.nextInt(of.size()));
    }

    @Override
    public void step() {
        setting.dares("dynamic", this::act);
    }

    private void act() {
        DcAsker asker = any(askers);
        if (asker.hasFailed() && asker.hasEnded()) {
            asker.reset();
        }
        switch (lots.nextInt(40)) {
            case 0 -> asker.reset();
            case 1 -> renew(any(asked));
            case 2 -> trespass(asker, any(asked));
            case 3 -> any(asked).arm();
            case 4, 5, 6 -> asked.forEach(DcAsked::receive);
            case 7, 8, 9 -> world.runFor(Duration.ofNanos(lots.nextInt(LONGEST_PAUSE_NANOS)));
            case 10, 11, 12 -> {
                for (int i = lots.nextInt(4); i >= 0; i--) {
                    ask(asker, any(asked));
                }
            }
            default -> {
                DcAsked to = any(asked);
                for (int i = lots.nextInt(4); i >= 0; i--) {
                    ask(asker, to);
                }
            }
        }
    }

    /** What asks the target that goes may find it silent. */
    private void renew(DcAsked target) {
        asking.getOrDefault(target, List.of()).forEach(ways -> ways.add(Status.RETRY_EXC_ERR));
        asking.remove(target);
        target.renew();
    }

    /** A key that is not the target's, or a target that is not there. */
    private void trespass(DcAsker asker, DcAsked target) {
        int id = ++number;
        boolean wrongKey = lots.nextBoolean();
        Set<Status> ways = EnumSet.of(wrongKey ? Status.REM_ACCESS_ERR : Status.RETRY_EXC_ERR, Status.RETRY_EXC_ERR);
        asker.submit(
                target.node.gid(),
                wrongKey ? target.number() : NO_SUCH_TARGET,
                wrongKey ? DcAsked.KEY + 1 : DcAsked.KEY,
                "TRESPASS " + id,
                RdmaWrite.of(id, asker.source(0, 8), target.cell(0)),
                () -> {
                    throw new AssertionError("a request with a wrong access key, or for no target, succeeded");
                },
                ways);
    }

    private void ask(DcAsker asker, DcAsked to) {
        int cell = lots.nextInt(DcAsked.CELLS);
        int bytes = lots.nextInt(DcAsked.CELL + 1);
        int id = ++number;
        LocalSlice source = asker.source(cell, bytes);
        switch (lots.nextInt(7)) {
            case 0, 1 -> {
                sent.put(id, new Numbered(to, cell, bytes));
                submit(asker, to, "SEND " + id, Send.of(id, source).withImmediate(id), () -> cameOnce(id));
            }
            case 2 -> submit(asker, to, "SEND " + id, Send.of(id, source), () -> {});
            case 3 -> {
                sent.put(id, new Numbered(to, cell, bytes));
                RdmaWrite write = RdmaWrite.of(id, source, to.cell(cell)).withImmediate(id);
                submit(asker, to, "WRITE " + id, write, () -> cameOnce(id));
            }
            case 4 ->
                submit(
                        asker,
                        to,
                        "WRITE " + id,
                        RdmaWrite.of(id, source, to.cell(cell)),
                        () -> Bytes.same("WRITE " + id, sourceBytes(cell, bytes), to.cellBytes(cell, bytes)));
            case 5 ->
                submit(asker, to, "READ " + id, RdmaRead.of(id, asker.target(cell, bytes), to.cell(cell)), () -> {});
            default -> {
                long[] counts = Objects.requireNonNull(added.get(to));
                counts[0]++;
                FetchAdd add = FetchAdd.of(id, asker.result(), to.word(), 1);
                submit(asker, to, "FETCH_ADD " + id, add, () -> counts[1]++);
            }
        }
        if (lots.nextInt(3) > 0) {
            to.receive();
        }
    }

    private void submit(DcAsker asker, DcAsked to, String what, RcWork work, Runnable check) {
        Set<Status> ways = EnumSet.noneOf(Status.class);
        if (to.isTight) {
            ways.add(Status.RETRY_EXC_ERR);
        }
        asking.computeIfAbsent(to, absent -> new ArrayList<>()).add(ways);
        asker.submit(to.node.gid(), to.number(), DcAsked.KEY, what + " for " + to, work, check, ways);
    }

    private byte[] sourceBytes(int cell, int bytes) {
        return Arrays.copyOfRange(cells, DcAsked.CELL * cell, DcAsked.CELL * cell + bytes);
    }

    private void heard(DcAsked target, WorkCompletion completion) {
        if (!completion.isSuccess()) {
            return;
        }
        if (!target.had(completion.qpNumber())) {
            complain("a message to " + target + " completes as one of queue pair " + completion.qpNumber());
        }
        if (completion.immediate().isEmpty()) {
            return;
        }
        int id = completion.immediate().getAsInt();
        int times = came.merge(id, 1, Integer::sum);
        Numbered message = sent.get(id);
        if (message == null) {
            complain("message " + id + " came, and was never sent");
        } else if (message.to != target) {
            complain("message " + id + " for " + message.to + " came to " + target);
        } else if (times > 1) {
            complain("message " + id + " came again");
        } else if (completion.kind() == CompletionKind.RECV
                && target.memory.isMapped()
                && !Arrays.equals(
                        target.received(completion.workId(), message.bytes),
                        sourceBytes(message.cell, message.bytes))) {
            complain("message " + id + " came with other bytes than it was sent with");
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("dynamic: " + what);
        }
    }

    private void cameOnce(int id) {
        int times = came.getOrDefault(id, 0);
        if (times != 1 && setting.weather() != Severity.DISASTER) {
            throw new AssertionError("message " + id + " came " + times + " times");
        }
    }

    @Override
    public void windUp() {
        for (int i = 0; i < AT_FIRST; i++) {
            asked.forEach(DcAsked::receive);
        }
    }

    /** Receives come as long as somebody waits: some were for messages that never ended. */
    @Override
    public void close() {
        for (int i = 0; i < MOST_MILLIS && !askers.stream().allMatch(DcAsker::hasEnded); i++) {
            for (int j = 0; j < AT_FIRST; j++) {
                asked.forEach(DcAsked::receive);
            }
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
        added.forEach((target, times) -> {
            if (target.sum() < times[1] || target.sum() > times[0]) {
                throw new AssertionError(
                        "dynamic: %d was added to the word of %s, of %d requests, of which %d succeeded"
                                .formatted(target.sum(), target, times[0], times[1]));
            }
        });
    }
}
