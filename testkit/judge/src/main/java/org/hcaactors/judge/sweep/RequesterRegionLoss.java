// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;

/**
 * The requester's local region is deregistered while a request that uses it waits, is sent, is retransmitted, or while its
 * acknowledgement or response is late. Some keys are wrong from the start. Each time the queue pair fails, and is connected
 * again.
 */
final class RequesterRegionLoss implements Workload {
    private static final int RECEIVES = 60;
    private static final QpCapacity CAPACITY =
            QpCapacity.DEFAULT.withMaxRecvWr(RECEIVES).withMaxSge(2).withMaxInlineBytes(0);
    /**
     * Packets of the longest message: enough for several turns, and few enough that a link that reorders does not make it go
     * back all the time.
     */
    private static final int MAX_PACKETS = 20;
    /**
     * 131 us, with four retries or more. With less, one burst alone takes longer than the timeout on a 10 Gb/s link, and each
     * retransmission adds to what is still queued.
     */
    private static final int SAFE_TIMEOUT_CODE = 5;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Renewable connection;
    /** Allowed failure statuses of requests that use the region: none until it is deregistered. */
    private Set<Status> whenClosed = EnumSet.noneOf(Status.class);

    private Optional<MemoryRegion> region = Optional.empty();
    /** Acts until the region is deregistered, and until the next life. */
    private int untilGone;

    private int untilNext;

    RequesterRegionLoss(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("own region");
        RcConnection attributes = attributes();
        connection = new Renewable(
                sweep, "own region", random, sweep.a().half(), sweep.b().half().withCapacity(CAPACITY), attributes);
        begin(attributes);
    }

    /** Returns attributes with a short timeout, so that a pause is long enough for a retransmission. */
    private RcConnection attributes() {
        return sweep.patient(random).withTimeoutCode(3 + random.nextInt(4)).withRetryCount(4 + random.nextInt(3));
    }

    private void begin(RcConnection attributes) {
        if (attributes.timeoutCode() < SAFE_TIMEOUT_CODE) {
            connection.life().mayFailWith(Status.RETRY_EXC_ERR);
        }
        untilGone = random.nextInt(8);
        untilNext = untilGone + 1 + random.nextInt(4);
        whenClosed = EnumSet.noneOf(Status.class);
        AccessFlags rights = random.nextInt(6) == 0 ? AccessFlags.NONE : AccessFlags.of(Access.LOCAL_WRITE);
        if (!rights.allows(Access.LOCAL_WRITE)) {
            whenClosed.add(Status.LOC_PROT_ERR);
        }
        SweepNode a = sweep.a();
        try {
            region = Optional.of(sweep.world().await(a.domain.register(a.memory, 0, a.memory.lengthBytes(), rights)));
        } catch (VerbsException refused) {
            region = Optional.empty();
        }
        for (int i = 0; i < 8; i++) {
            int number = i;
            ReceiveWaves.quietly(() -> connection.remote().postReceive(sweep.b().longReceive(number)));
        }
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            RcConnection attributes = attributes();
            connection.renew(attributes);
            begin(attributes);
        }
        if (connection.isLost() || region.isEmpty()) {
            return;
        }
        if (untilGone-- == 0) {
            whenClosed.add(Status.LOC_PROT_ERR);
            sweep.promises().verb("deregister", region.get().deregister());
        }
        post(region.get());
    }

    @Override
    public void finish() {
        region.ifPresent(left -> left.deregister());
        whenClosed.add(Status.LOC_PROT_ERR);
    }

    private void post(MemoryRegion with) {
        int cell = random.nextInt(SweepNode.CELLS / 2);
        int bytes = 1 + random.nextInt(random.nextInt(8) == 0 ? longest() : SweepNode.CELL);
        boolean own = random.nextInt(3) > 0;
        boolean wrong = random.nextInt(12) == 0;
        int key = own ? with.lkey() : sweep.a().region.lkey();
        RcWork work = work(cell, bytes, wrong ? key ^ 1 : key);
        Set<Status> mayFail = wrong ? EnumSet.of(Status.LOC_PROT_ERR) : own ? whenClosed : Set.of();
        connection
                .life()
                .add(
                        work.getClass().getSimpleName() + " " + cell,
                        connection.local().submit(work),
                        check(work, cell, bytes),
                        mayFail);
    }

    private int longest() {
        return Math.min(MAX_PACKETS * sweep.mtu().bytes(), SweepNode.CELLS / 2 * SweepNode.CELL);
    }

    private RcWork work(int cell, int bytes, int key) {
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        LocalSlice source = under(key, a.source(cell, bytes));
        return switch (random.nextInt(6)) {
            case 0, 1 -> RdmaWrite.of(cell, source, b.remoteTarget(cell));
            case 2 -> Send.of(cell, source);
            case 3, 4 -> RdmaRead.of(cell, under(key, a.target(cell, bytes)), b.remoteSource(cell));
            default -> {
                RemoteAddress word = b.word(random.nextInt(4), random.nextBoolean());
                yield FetchAdd.of(cell, under(key, a.result(cell)), word, 1);
            }
        };
    }

    private Runnable check(RcWork work, int cell, int bytes) {
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        return switch (work) {
            case RdmaWrite write ->
                () -> ByteChecks.same("WRITE " + cell, a.sourceBytes(cell, bytes), b.targetBytes(cell, bytes));
            case RdmaRead read ->
                () -> ByteChecks.same("READ " + cell, b.sourceBytes(cell, bytes), a.targetBytes(cell, bytes));
            default -> () -> {};
        };
    }

    private static LocalSlice under(int key, LocalSlice slice) {
        return new LocalSlice(key, slice.address(), slice.lengthBytes());
    }
}
