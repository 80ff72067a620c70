// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * Two processes of a node share an XRC domain, and one or two connections reach both: each request names a queue of one of
 * them. Handles are opened and closed, a queue is replaced, a process exits and another starts, and occasionally a request
 * names a forbidden queue. Each numbered message must arrive once, at the queue that it names; every handle must receive the
 * event of a failure.
 */
final class XrcQueues implements Workload {
    private static final String FILE = "/run/named queues";
    private static final int MEMBERS = 2;
    private static final int FOR_EVER = 7;
    private static final int MAX_MILLIS = 100;
    private static final int AT_FIRST = 6;
    private static final int SPARE = 3;
    private static final int NO_SUCH_QUEUE = 0xFF_FFFF;

    /** A numbered message that was sent. */
    private record Numbered(XrcProcess to, int queue, int cell, int bytes, boolean intoReceive) {}

    /** A failure, and the processes that had a handle to receive its event. */
    private record Alarm(int target, Set<XrcProcess> receivers, QueuePairLife.Request because) {}

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final Adapter node;
    private final ProtectionDomain domain;
    private final HostMemory memory;
    private final MemoryRegion region;
    private final Adapter requester;
    private final List<XrcProcess> members = new ArrayList<>();
    private final List<XrcConnection> connections = new ArrayList<>();
    private final XrcProcess stranger;

    /** By message number: the message. */
    private final Map<Integer, Numbered> sent = new LinkedHashMap<>();

    private final Map<Integer, Integer> arrivals = new LinkedHashMap<>();
    private final List<Alarm> alarms = new ArrayList<>();

    /** By queue number: the allowed failure statuses of each request that names it. */
    private final Map<Integer, List<Set<Status>>> expectedByQueue = new LinkedHashMap<>();

    private Optional<String> complaint = Optional.empty();
    private int processes;
    private int number;

    XrcQueues(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("named queues");
        node = able(sweep.b().adapter, "named-node");
        requester = able(sweep.a().adapter, "asking-by-name");
        HostProcess initiator = requester.process("asks by name");
        domain = initiator.open().allocatePd();
        memory = initiator.allocate((long) XrcProcess.CELL * XrcProcess.CELLS * 2 + Long.BYTES);
        byte[] pattern = new byte[XrcProcess.CELL * XrcProcess.CELLS];
        random.nextBytes(pattern);
        memory.write(0, pattern);
        region = world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        for (int i = 0; i < MEMBERS; i++) {
            members.add(member());
        }
        stranger = new XrcProcess(
                world,
                node,
                "named stranger",
                XrcDomainDescription.unnamed(),
                (element, completion) -> complain("a message arrived at a queue of another XRC domain"));
        stranger.receive();
        for (int i = random.nextInt(2); i >= 0; i--) {
            connections.add(connect());
        }
    }

    private Adapter able(Adapter adapter, String name) {
        return sweep.able(adapter, can -> can.sharedReceives().xrc(), name, Profile.CONNECTX_5);
    }

    private XrcProcess member() {
        XrcProcess made =
                new XrcProcess(world, node, "named " + ++processes, XrcDomainDescription.of(FILE), this::onCompletion);
        for (int i = 0; i < AT_FIRST; i++) {
            made.receive();
        }
        return made;
    }

    private XrcConnection connect() {
        XrcProcess maker = any(members);
        return new XrcConnection(
                world,
                world.await(domain.createQp(QpDescription.xrc())),
                maker,
                sweep.patient(random).withRnrRetry(FOR_EVER),
                sweep.promises().life("named queues"));
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Override
    public void step() {
        sweep.runIfAlive("named queues", this::act);
    }

    private void act() {
        int at = random.nextInt(connections.size());
        if (connections.get(at).hasFailed() && connections.get(at).hasEnded()) {
            connections.get(at).close();
            connections.set(at, connect());
        }
        XrcConnection connection = connections.get(at);
        switch (random.nextInt(16)) {
            case 0 -> connection.open(any(members));
            case 1 -> {
                if (connection.hasEnded()) {
                    connection.leave(any(members));
                }
            }
            case 2 -> renew(any(members));
            case 3 -> exchange(random.nextInt(MEMBERS));
            case 4 -> trespass(connection);
            case 5, 6 -> members.forEach(XrcProcess::receive);
            case 7 -> refusedToStrangers(connection);
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    ask(connection, any(members));
                }
            }
        }
    }

    /** Replaces a queue. Requests that name the old one may find it destroyed. */
    private void renew(XrcProcess member) {
        int queue = any(member.queues());
        allowFailures(queue);
        member.renew(queue);
        for (int i = 0; i < AT_FIRST; i++) {
            member.receive();
        }
    }

    private void allowFailures(int queue) {
        expectedByQueue
                .getOrDefault(queue, List.of())
                .forEach(ways -> ways.addAll(Set.of(Status.REM_INV_REQ_ERR, Status.REM_ACCESS_ERR, Status.REM_OP_ERR)));
    }

    /** Lets a process exit and starts another in its place: targets that other processes have open remain. */
    private void exchange(int place) {
        XrcProcess leaves = members.get(place);
        XrcProcess stays = members.get(1 - place);
        for (XrcConnection connection : connections) {
            if (!connection.outlives(leaves)) {
                connection.open(stays);
            }
        }
        leaves.queues().forEach(this::allowFailures);
        leaves.exits();
        connections.forEach(connection -> connection.removeExited(leaves));
        world.await(leaves.process.exit());
        members.set(place, member());
    }

    private void refusedToStrangers(XrcConnection connection) {
        try {
            world.await(stranger.shared.openTarget(connection.target()));
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EINVAL) {
                return;
            }
            throw refused;
        }
        throw new AssertionError("a target was opened by the number that it has in another XRC domain");
    }

    /**
     * Posts a request that names a queue that does not exist or is not in the domain, or whose memory is of another process
     * than the queue.
     */
    private void trespass(XrcConnection connection) {
        RcWork write = RdmaWrite.of(++number, source(0, 8), members.get(1).remoteCell(0));
        switch (random.nextInt(3)) {
            case 0 -> neverRight(connection, NO_SUCH_QUEUE, Send.of(++number, source(0, 8)), Status.REM_INV_REQ_ERR);
            case 1 ->
                neverRight(connection, any(stranger.queues()), Send.of(++number, source(0, 8)), Status.REM_INV_REQ_ERR);
            default -> neverRight(connection, any(members.get(0).queues()), write, Status.REM_ACCESS_ERR);
        }
    }

    private void neverRight(XrcConnection connection, int queue, RcWork work, Status refusal) {
        Set<Status> ways = submit(connection, queue, "TRESPASS", work, () -> {
            throw new AssertionError("a request to a queue that it must not reach succeeded");
        });
        ways.add(refusal);
        Set<XrcProcess> receivers = new LinkedHashSet<>();
        members.stream().filter(connection::isOpenAt).forEach(receivers::add);
        alarms.add(new Alarm(
                connection.target(), receivers, connection.life.requests().getLast()));
    }

    private void ask(XrcConnection connection, XrcProcess to) {
        int cell = random.nextInt(XrcProcess.CELLS);
        int bytes = random.nextInt(XrcProcess.CELL + 1);
        int id = ++number;
        LocalSlice source = source(cell, bytes);
        int queue = any(to.queues());
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                sent.put(id, new Numbered(to, queue, cell, bytes, true));
                submit(
                        connection,
                        queue,
                        "SEND " + id,
                        Send.of(id, source).withImmediate(id),
                        () -> checkArrivedOnce(id));
            }
            case 2 -> submit(connection, queue, "SEND " + id, Send.of(id, source), () -> {});
            case 3 -> {
                sent.put(id, new Numbered(to, queue, cell, bytes, false));
                RdmaWrite write = RdmaWrite.of(id, source, to.remoteCell(cell)).withImmediate(id);
                submit(connection, queue, "WRITE " + id, write, () -> checkArrivedOnce(id));
            }
            case 4 ->
                submit(connection, queue, "WRITE " + id, RdmaWrite.of(id, source, to.remoteCell(cell)), () -> {
                    if (!to.hasExited()) {
                        ByteChecks.same("WRITE " + id, sourceBytes(cell, bytes), to.cellBytes(cell, bytes));
                    }
                });
            case 5 ->
                submit(
                        connection,
                        queue,
                        "READ " + id,
                        RdmaRead.of(id, target(cell, bytes), to.remoteCell(cell)),
                        () -> {});
            default ->
                submit(connection, queue, "FETCH_ADD " + id, FetchAdd.of(id, result(), to.remoteWord(), 1), () -> {});
        }
        if (random.nextInt(3) > 0) {
            to.receive();
        }
    }

    /** Posts a request. Returns its allowed failure statuses, to which more may be added. */
    private Set<Status> submit(XrcConnection connection, int queue, String what, RcWork work, Runnable check) {
        Set<Status> ways = EnumSet.noneOf(Status.class);
        CompletionStage<WorkCompletion> stage = connection.pair.submit(queue, work);
        connection.life.add(what + " for srq" + queue, stage, check, ways);
        expectedByQueue.computeIfAbsent(queue, absent -> new ArrayList<>()).add(ways);
        return ways;
    }

    private LocalSlice source(int cell, int bytes) {
        return region.slice((long) XrcProcess.CELL * cell, bytes);
    }

    private byte[] sourceBytes(int cell, int bytes) {
        return memory.read((long) XrcProcess.CELL * cell, bytes);
    }

    private LocalSlice target(int cell, int bytes) {
        return region.slice((long) XrcProcess.CELL * (XrcProcess.CELLS + cell), bytes);
    }

    private LocalSlice result() {
        return region.slice((long) XrcProcess.CELL * XrcProcess.CELLS * 2, Long.BYTES);
    }

    private void onCompletion(XrcProcess member, WorkCompletion completion) {
        Optional<Integer> queue = member.queueOf(completion.workId());
        if (!completion.isSuccess() || completion.immediate().isEmpty()) {
            return;
        }
        int id = completion.immediate().getAsInt();
        arrivals.merge(id, 1, Integer::sum);
        Numbered message = sent.get(id);
        if (message == null) {
            complain("message " + id + " arrived, but was never sent");
        } else if (message.to != member || !queue.equals(Optional.of(message.queue))) {
            complain("message " + id + " for srq" + message.queue + " arrived at " + queue + " of "
                    + member.process.name());
        } else if (message.intoReceive && !arrivedWhole(member, completion, message)) {
            complain("message " + id + " arrived with other bytes than it was sent with");
        }
    }

    /** True if the message arrived unchanged, or if that cannot be checked since a power cycle of either end erased its memory. */
    private boolean arrivedWhole(XrcProcess member, WorkCompletion completion, Numbered message) {
        return !memory.isMapped()
                || !member.memory.isMapped()
                || completion.kind() != CompletionKind.RECV
                || Arrays.equals(
                        member.received(completion.workId(), message.bytes), sourceBytes(message.cell, message.bytes));
    }

    private void complain(String what) {
        if (complaint.isEmpty() && !world.faults().hasForged()) {
            complaint = Optional.of("named queues: " + what);
        }
    }

    private void checkArrivedOnce(int id) {
        int times = arrivals.getOrDefault(id, 0);
        Numbered message = Objects.requireNonNull(sent.get(id));
        boolean mayBeLost = times == 0 && message.to.hasExited();
        if (times != 1 && !mayBeLost) {
            throw new AssertionError("message " + id + " for srq" + message.queue + " arrived " + times + " times");
        }
    }

    @Override
    public void finish() {
        for (int i = 0; i < AT_FIRST; i++) {
            members.forEach(XrcProcess::receive);
        }
    }

    /** Posts receives while any request waits: some receives were consumed by messages that never ended. */
    @Override
    public void close() {
        for (int i = 0; i < MAX_MILLIS && !connections.stream().allMatch(XrcConnection::hasEnded); i++) {
            for (int j = 0; j < SPARE; j++) {
                members.forEach(XrcProcess::receive);
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
        for (Alarm alarm : alarms) {
            alarm.receivers.stream()
                    .filter(member -> !member.hasExited() && wasRefused(alarm.because))
                    .filter(member -> !member.hasReceived(new AsyncEvent(AsyncEvent.Kind.QP_ACCESS_ERR, alarm.target)))
                    .findFirst()
                    .ifPresent(member -> {
                        throw new AssertionError(member.process.name() + " has a handle on target " + alarm.target
                                + ", but received no event at its end");
                    });
        }
    }

    private static boolean wasRefused(QueuePairLife.Request request) {
        if (request.stage().toCompletableFuture().isCompletedExceptionally()) {
            return false;
        }
        Status status = request.stage().toCompletableFuture().resultNow().status();
        return status == Status.REM_INV_REQ_ERR || status == Status.REM_ACCESS_ERR;
    }
}
