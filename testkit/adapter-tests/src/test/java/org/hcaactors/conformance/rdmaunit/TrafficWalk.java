// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;

/**
 * Programs that connect, register, read, write, send and deregister memory at random and wait for nothing; some requests have
 * an invalid key, lack a right or exceed the bounds. The allowed results are recorded when a request is posted, and extended
 * when its memory is deregistered meanwhile; a failed connection flushes the rest.
 */
final class TrafficWalk {
    private static final int MAX_CONNECTIONS = 6;
    private static final int MAX_REGIONS = 12;
    private static final int QUEUE = 64;
    private static final int BYTES = 4096;

    private final Ground ground;
    private final Random random;
    private final List<Program> programs = new ArrayList<>();
    private final List<CompletionStage<Void>> going = new ArrayList<>();
    private final Set<Status> seen = EnumSet.noneOf(Status.class);
    private boolean lossy;
    private long nextId;

    /** Creates the walk; {@code homes} are the processes of the programs, which may be on one machine. */
    TrafficWalk(Ground ground, long seed, HostProcess... homes) {
        this.ground = ground;
        random = new Random(seed);
        for (HostProcess home : homes) {
            programs.add(new Program(home));
        }
    }

    private final class Program {
        final HostProcess home;
        final ProtectionDomain domain;
        final CompletionQueue sendCq;
        final CompletionQueue recvCq;
        final List<MemoryRegion> regions = new ArrayList<>();
        final Map<Integer, Connection> connections = new LinkedHashMap<>();

        Program(HostProcess home) {
            this.home = home;
            domain = home.open().allocatePd();
            sendCq = ground.await(domain.context().createCq(10_000));
            recvCq = ground.await(domain.context().createCq(10_000));
        }

        List<Connection> alive() {
            return connections.values().stream().filter(one -> !one.failed).toList();
        }
    }

    /** A request in progress, its regions, and the allowed results. */
    private record Request(long id, MemoryRegion ours, MemoryRegion theirs, Status refusal, Set<Status> allowed) {}

    private static final class Connection {
        final Program to;
        final QpPair<RcQueuePair> pair;
        final Deque<Request> underWay = new ArrayDeque<>();
        int receives;
        boolean failed;

        Connection(Program to, QpPair<RcQueuePair> pair) {
            this.to = to;
            this.pair = pair;
        }
    }

    /** The mistakes of one request. */
    private record Mistakes(boolean ourKey, boolean theirKey, boolean ourEnd, boolean theirEnd) {
        static Mistakes drawn(Random random) {
            int lot = random.nextInt(150);
            return new Mistakes(lot == 0, lot == 1, lot == 2, lot == 3);
        }
    }

    /** Makes the wire lose, duplicate and reorder packets from now on. */
    TrafficWalk overALossyWire() {
        lossy = true;
        ground.world().faults().on(packet()).withProbability(0.02).drop();
        ground.world().faults().on(packet()).withProbability(0.02).duplicate();
        ground.world().faults().on(packet()).withProbability(0.02).reorder(3);
        return this;
    }

    void walk(int steps) {
        for (int i = 0; i < steps; i++) {
            int lot = random.nextInt(100);
            if (lot < 4) {
                connect(any(programs), any(programs));
            } else if (lot < 8) {
                register(any(programs));
            } else if (lot < 9) {
                deregister(any(programs));
            } else if (lot < 30) {
                ground.world().runFor(Duration.ofNanos(random.nextInt(3000)));
                programs.forEach(this::reap);
            } else {
                request(any(programs));
            }
        }
        ground.all(programs.getFirst().recvCq);
        programs.forEach(this::reap);
        going.forEach(ground::await);
        for (Program program : programs) {
            assertThat(program.connections.values()).allMatch(connection -> connection.underWay.isEmpty());
        }
        assertThat(seen)
                .as("statuses seen by the walk")
                .contains(Status.SUCCESS, Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private void connect(Program from, Program to) {
        if (from.alive().size() < MAX_CONNECTIONS) {
            QpCapacity capacity = QpCapacity.of(QUEUE).withMaxSge(1).withMaxInlineBytes(0);
            QpPair<RcQueuePair> pair = ground.await(QpPair.connectRc(
                    from.domain,
                            QpDescription.rc()
                                    .withSendCq(from.sendCq)
                                    .withRecvCq(from.recvCq)
                                    .withCapacity(capacity),
                    to.domain,
                            QpDescription.rc()
                                    .withSendCq(to.sendCq)
                                    .withRecvCq(to.recvCq)
                                    .withCapacity(capacity)));
            from.connections.put(pair.local().number(), new Connection(to, pair));
        }
    }

    private void register(Program program) {
        if (program.regions.size() < MAX_REGIONS) {
            AccessFlags drawn =
                    random.nextInt(8) == 0 ? new AccessFlags(random.nextInt(16)) : AccessFlags.LOCAL_AND_REMOTE;
            program.regions.add(ground.await(program.domain.register(
                    program.home.allocate(BYTES),
                    0,
                    BYTES,
                    drawn.isConsistentForRegistration() ? drawn : AccessFlags.NONE)));
        }
    }

    private void deregister(Program program) {
        if (program.regions.size() < 2) {
            return;
        }
        MemoryRegion region = program.regions.remove(random.nextInt(program.regions.size()));
        going.add(region.deregister());
        for (Program one : programs) {
            for (Connection connection : one.connections.values()) {
                connection.underWay.forEach(request -> widen(request, region));
            }
        }
    }

    private static void widen(Request request, MemoryRegion gone) {
        if (request.ours == gone) {
            request.allowed.add(Status.LOC_PROT_ERR);
        }
        if (request.theirs == gone) {
            request.allowed.add(request.refusal);
        }
    }

    private void request(Program from) {
        List<Connection> open = List.copyOf(from.connections.values());
        if (open.isEmpty() || from.regions.isEmpty()) {
            return;
        }
        Connection connection = any(open);
        if (connection.to.regions.isEmpty() || connection.underWay.size() == QUEUE) {
            return;
        }
        MemoryRegion ours = any(from.regions);
        MemoryRegion theirs = any(connection.to.regions);
        Mistakes slip = Mistakes.drawn(random);
        int lot = random.nextInt(Verb.values().length + 1);
        if (lot < Verb.values().length) {
            post(connection, Verb.values()[lot], ours, theirs, slip);
        } else if (connection.receives < QUEUE) {
            send(connection, ours, theirs, slip);
        }
    }

    private LocalSlice ours(MemoryRegion region, int lengthBytes, Mistakes slip) {
        LocalSlice slice = region.slice(offset(lengthBytes, slip.ourEnd), lengthBytes);
        return slip.ourKey ? Ground.withoutKey(slice) : slice;
    }

    /**
     * Returns a multiple of eight; with {@code beyond}, so near to the end that the access exceeds the region by eight bytes.
     */
    private int offset(int lengthBytes, boolean beyond) {
        return beyond ? BYTES - lengthBytes + 8 : random.nextInt((BYTES - lengthBytes) / 8 + 1) * 8;
    }

    /**
     * Posts a request. READs and atomics check the local key when the answer arrives, WRITE before sending; the peer's refusal
     * is in between.
     */
    private void post(Connection connection, Verb verb, MemoryRegion ours, MemoryRegion theirs, Mistakes slip) {
        int bytes = verb == Verb.READ || verb == Verb.WRITE ? 8 * (1 + random.nextInt(BYTES / 8)) : 8;
        boolean ourBad = slip.ourKey
                || slip.ourEnd
                || verb != Verb.WRITE && !ours.access().allows(Access.LOCAL_WRITE);
        boolean theirBad = slip.theirKey || slip.theirEnd || !theirs.access().allows(verb.needs());
        RemoteAddress remote = theirs.remote(offset(bytes, slip.theirEnd));
        RcWork work = verb.work(nextId, ours(ours, bytes, slip), slip.theirKey ? Ground.withoutKey(remote) : remote);
        boolean remoteFirst = verb != Verb.WRITE;
        Status expected = theirBad && (remoteFirst || !ourBad)
                ? Status.REM_ACCESS_ERR
                : ourBad ? Status.LOC_PROT_ERR : Status.SUCCESS;
        post(connection, work, new Request(nextId, ours, theirs, Status.REM_ACCESS_ERR, EnumSet.of(expected)));
    }

    private void send(Connection connection, MemoryRegion ours, MemoryRegion theirs, Mistakes slip) {
        LocalSlice into = theirs.slice(0, BYTES);
        connection.pair.remote().postReceive(Receive.of(nextId, slip.theirKey ? Ground.withoutKey(into) : into));
        connection.receives++;
        boolean theirBad = slip.theirKey || !theirs.access().allows(Access.LOCAL_WRITE);
        Status expected =
                slip.ourKey || slip.ourEnd ? Status.LOC_PROT_ERR : theirBad ? Status.REM_OP_ERR : Status.SUCCESS;
        Send work = Send.of(nextId, ours(ours, 8 * (1 + random.nextInt(BYTES / 8)), slip));
        post(connection, work, new Request(nextId, ours, theirs, Status.REM_OP_ERR, EnumSet.of(expected)));
    }

    private void post(Connection connection, RcWork work, Request request) {
        connection.pair.local().post(work.withFlags(SendFlags.SIGNALED));
        connection.underWay.add(request);
        nextId++;
    }

    private void reap(Program program) {
        for (WorkCompletion done : ground.await(program.sendCq.poll(1000))) {
            check(done, Objects.requireNonNull(program.connections.get(done.qpNumber())));
        }
        for (WorkCompletion done : ground.await(program.recvCq.poll(1000))) {
            programs.stream()
                    .flatMap(one -> one.connections.values().stream())
                    .filter(one -> one.to == program && one.pair.remote().number() == done.qpNumber())
                    .forEach(one -> one.receives--);
        }
        if (random.nextInt(4) == 0) {
            program.connections.values().stream()
                    .filter(one -> one.failed && one.underWay.isEmpty())
                    .toList()
                    .forEach(one -> leave(program, one));
        }
    }

    private void check(WorkCompletion done, Connection connection) {
        seen.add(done.status());
        Request request = connection.underWay.remove();
        assertThat(done.workId()).isEqualTo(request.id);
        if (connection.failed) {
            assertThat(done.status()).isEqualTo(Status.WR_FLUSH_ERR);
        } else {
            if (!unanswered(done, connection)) {
                assertThat(done.status()).as("request %d", request.id).isIn(request.allowed);
            }
            connection.failed = done.status() != Status.SUCCESS;
        }
    }

    /** True if the answer was lost and the peer, now in error, gives no second one. */
    private boolean unanswered(WorkCompletion done, Connection connection) {
        return lossy && done.status() == Status.RETRY_EXC_ERR && ground.state(connection.pair.remote()) == QpState.ERR;
    }

    private void leave(Program program, Connection connection) {
        program.connections.remove(connection.pair.local().number());
        going.add(connection.pair.local().closeAsync());
        going.add(connection.pair.remote().closeAsync());
    }
}
