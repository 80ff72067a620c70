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
 * Several DC initiators of two nodes send to several targets of two other nodes, with hardly more responders than are needed:
 * they connect, switch targets, become idle and receive CNAK. Occasionally a request has a wrong access key or names no target,
 * an initiator is reset, or a target is destroyed and replaced. Each numbered message must arrive once, at the target that it
 * names, and no value is added twice.
 */
final class DynamicTargets implements Workload {
    private static final int FOR_EVER = 7;
    private static final int MAX_MILLIS = 100;
    private static final int AT_FIRST = 8;
    /** Longer than an idle session lasts. */
    private static final int LONGEST_PAUSE_NANOS = 90_000;

    /** A target that reserves more responders than the pool has serves no initiator. */
    private static final int MAX_TIGHT = 3;

    private static final int NO_SUCH_TARGET = 0xFF_FFFD;

    /** A numbered message that was sent. */
    private record Numbered(DcTargetProcess to, int cell, int bytes) {}

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final byte[] cells = new byte[DcTargetProcess.CELL * DcTargetProcess.CELLS];
    private final List<DcTargetProcess> targets = new ArrayList<>();
    private final List<DcInitiatorProcess> initiators = new ArrayList<>();

    /** By message number: the message. */
    private final Map<Integer, Numbered> sent = new LinkedHashMap<>();

    private final Map<Integer, Integer> arrivals = new LinkedHashMap<>();

    /** By target: the allowed failure statuses of each of its requests. */
    private final Map<DcTargetProcess, List<Set<Status>>> allowedFailures = new LinkedHashMap<>();

    /** By target: how many additions were posted, and how many succeeded. */
    private final Map<DcTargetProcess, long[]> added = new LinkedHashMap<>();

    private Optional<String> complaint = Optional.empty();
    private int number;

    DynamicTargets(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("dynamic");
        random.nextBytes(cells);
        Adapter few = world.network().addAdapter("few", fewResponders(), World.DEFAULT_LINK);
        Adapter many = able(sweep.b().adapter, "many");
        addTarget(new DcTargetProcess.Kind(many, "asked", false, handshake()));
        addTarget(new DcTargetProcess.Kind(many, "sparing", true, tight()));
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            addTarget(new DcTargetProcess.Kind(few, "pooled " + i, true, random.nextBoolean() ? tight() : handshake()));
        }
        Adapter node = able(sweep.a().adapter, "asking-any");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            initiator(node, "asks " + i);
        }
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            initiator(few, "asks too " + i);
        }
    }

    private Profile fewResponders() {
        DcCapabilities plain = Profile.CONNECTX_6.dynamicallyConnected();
        return Profile.CONNECTX_6.with(
                plain.withResponders(MAX_TIGHT + random.nextInt(2)).withIdleNanos(10_000 + random.nextInt(4) * 10_000));
    }

    private Adapter able(Adapter adapter, String name) {
        return sweep.able(adapter, can -> can.dynamicallyConnected().isSupported(), name, Profile.CONNECTX_5);
    }

    private UnaryOperator<DcTargetDescription> handshake() {
        return random.nextInt(3) == 0 ? DcTargetDescription::withFullHandshake : UnaryOperator.identity();
    }

    private UnaryOperator<DcTargetDescription> tight() {
        UnaryOperator<DcTargetDescription> handshake = handshake();
        int max = 1 + random.nextInt(MAX_TIGHT);
        int reserved = random.nextInt(max);
        return requested -> handshake.apply(requested.withMaxResponders(max).withReservedResponders(reserved));
    }

    private void addTarget(DcTargetProcess.Kind kind) {
        DcTargetProcess made = new DcTargetProcess(sweep, kind, attributes(), this::onCompletion);
        for (int i = 0; i < AT_FIRST; i++) {
            made.receive();
        }
        targets.add(made);
        added.put(made, new long[2]);
    }

    private void initiator(Adapter node, String name) {
        initiators.add(new DcInitiatorProcess(sweep, node, name, cells, random.nextInt(3) == 0, attributes()));
    }

    private RcConnection attributes() {
        return sweep.patient(random).withRnrRetry(FOR_EVER);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Override
    public void step() {
        sweep.runIfAlive("dynamic", this::act);
    }

    private void act() {
        DcInitiatorProcess initiator = any(initiators);
        if (initiator.hasFailed() && initiator.hasEnded()) {
            initiator.reset();
        }
        switch (random.nextInt(40)) {
            case 0 -> initiator.reset();
            case 1 -> renew(any(targets));
            case 2 -> trespass(initiator, any(targets));
            case 3 -> any(targets).arm();
            case 4, 5, 6 -> targets.forEach(DcTargetProcess::receive);
            case 7, 8, 9 -> world.runFor(Duration.ofNanos(random.nextInt(LONGEST_PAUSE_NANOS)));
            case 10, 11, 12 -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    ask(initiator, any(targets));
                }
            }
            default -> {
                DcTargetProcess to = any(targets);
                for (int i = random.nextInt(4); i >= 0; i--) {
                    ask(initiator, to);
                }
            }
        }
    }

    /** Replaces a target. Requests in progress to the old one may get no answer. */
    private void renew(DcTargetProcess target) {
        allowedFailures.getOrDefault(target, List.of()).forEach(ways -> ways.add(Status.RETRY_EXC_ERR));
        allowedFailures.remove(target);
        target.renew();
    }

    /** Posts a request with a wrong key, or to a target that does not exist. */
    private void trespass(DcInitiatorProcess initiator, DcTargetProcess target) {
        int id = ++number;
        boolean wrongKey = random.nextBoolean();
        Set<Status> ways = EnumSet.of(wrongKey ? Status.REM_ACCESS_ERR : Status.RETRY_EXC_ERR, Status.RETRY_EXC_ERR);
        initiator.submit(
                target.node.gid(),
                wrongKey ? target.number() : NO_SUCH_TARGET,
                wrongKey ? DcTargetProcess.KEY + 1 : DcTargetProcess.KEY,
                "TRESPASS " + id,
                RdmaWrite.of(id, initiator.source(0, 8), target.remoteCell(0)),
                () -> {
                    throw new AssertionError("a request with a wrong access key, or for no target, succeeded");
                },
                ways);
    }

    private void ask(DcInitiatorProcess initiator, DcTargetProcess to) {
        int cell = random.nextInt(DcTargetProcess.CELLS);
        int bytes = random.nextInt(DcTargetProcess.CELL + 1);
        int id = ++number;
        LocalSlice source = initiator.source(cell, bytes);
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                sent.put(id, new Numbered(to, cell, bytes));
                submit(initiator, to, "SEND " + id, Send.of(id, source).withImmediate(id), () -> checkArrivedOnce(id));
            }
            case 2 -> submit(initiator, to, "SEND " + id, Send.of(id, source), () -> {});
            case 3 -> {
                sent.put(id, new Numbered(to, cell, bytes));
                RdmaWrite write = RdmaWrite.of(id, source, to.remoteCell(cell)).withImmediate(id);
                submit(initiator, to, "WRITE " + id, write, () -> checkArrivedOnce(id));
            }
            case 4 ->
                submit(
                        initiator,
                        to,
                        "WRITE " + id,
                        RdmaWrite.of(id, source, to.remoteCell(cell)),
                        () -> ByteChecks.same("WRITE " + id, sourceBytes(cell, bytes), to.cellBytes(cell, bytes)));
            case 5 ->
                submit(
                        initiator,
                        to,
                        "READ " + id,
                        RdmaRead.of(id, initiator.target(cell, bytes), to.remoteCell(cell)),
                        () -> {});
            default -> {
                long[] counts = Objects.requireNonNull(added.get(to));
                counts[0]++;
                FetchAdd add = FetchAdd.of(id, initiator.result(), to.remoteWord(), 1);
                submit(initiator, to, "FETCH_ADD " + id, add, () -> counts[1]++);
            }
        }
        if (random.nextInt(3) > 0) {
            to.receive();
        }
    }

    private void submit(DcInitiatorProcess initiator, DcTargetProcess to, String what, RcWork work, Runnable check) {
        Set<Status> ways = EnumSet.noneOf(Status.class);
        if (to.isTight) {
            ways.add(Status.RETRY_EXC_ERR);
        }
        allowedFailures.computeIfAbsent(to, absent -> new ArrayList<>()).add(ways);
        initiator.submit(to.node.gid(), to.number(), DcTargetProcess.KEY, what + " for " + to, work, check, ways);
    }

    private byte[] sourceBytes(int cell, int bytes) {
        return Arrays.copyOfRange(cells, DcTargetProcess.CELL * cell, DcTargetProcess.CELL * cell + bytes);
    }

    private void onCompletion(DcTargetProcess target, WorkCompletion completion) {
        if (!completion.isSuccess()) {
            return;
        }
        if (!target.had(completion.qpNumber())) {
            complain("a message to " + target + " completes with the number of queue pair " + completion.qpNumber());
        }
        if (completion.immediate().isEmpty()) {
            return;
        }
        int id = completion.immediate().getAsInt();
        int times = arrivals.merge(id, 1, Integer::sum);
        Numbered message = sent.get(id);
        if (message == null) {
            complain("message " + id + " arrived, but was never sent");
        } else if (message.to != target) {
            complain("message " + id + " for " + message.to + " arrived at " + target);
        } else if (times > 1) {
            complain("message " + id + " arrived a second time");
        } else if (completion.kind() == CompletionKind.RECV
                && target.memory.isMapped()
                && !Arrays.equals(
                        target.received(completion.workId(), message.bytes),
                        sourceBytes(message.cell, message.bytes))) {
            complain("message " + id + " arrived with other bytes than it was sent with");
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("dynamic: " + what);
        }
    }

    private void checkArrivedOnce(int id) {
        int times = arrivals.getOrDefault(id, 0);
        if (times != 1 && sweep.severity() != FaultSeverity.DISASTER) {
            throw new AssertionError("message " + id + " arrived " + times + " times");
        }
    }

    @Override
    public void finish() {
        for (int i = 0; i < AT_FIRST; i++) {
            targets.forEach(DcTargetProcess::receive);
        }
    }

    /** Posts receives while any initiator waits: some receives were consumed by messages that never ended. */
    @Override
    public void close() {
        for (int i = 0; i < MAX_MILLIS && !initiators.stream().allMatch(DcInitiatorProcess::hasEnded); i++) {
            for (int j = 0; j < AT_FIRST; j++) {
                targets.forEach(DcTargetProcess::receive);
            }
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
        added.forEach((target, times) -> {
            if (target.sum() < times[1] || target.sum() > times[0]) {
                throw new AssertionError("dynamic: %d was added to the word of %s by %d requests, of which %d succeeded"
                        .formatted(target.sum(), target, times[0], times[1]));
            }
        });
    }
}
