// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Binds;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/**
 * Traffic through a memory window of each type, which is bound again, invalidated locally or remotely, or freed meanwhile. Then
 * its connection fails, and is connected again with other windows.
 */
final class WindowTraffic implements Workload {
    private static final int RECEIVES = 60;
    private static final AccessFlags REMOTE =
            AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    private static final QpCapacity CAPACITY = QpCapacity.DEFAULT.withMaxRecvWr(RECEIVES);

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Renewable connection;

    /** Another connection, which must not use the windows. */
    private final Ends<RcEnd> stranger;

    /** Window of type 1 that covers the first cell only. */
    private Optional<MemoryWindow> narrow = Optional.empty();

    private Optional<MemoryRegion> region = Optional.empty();
    private Optional<MemoryWindow> one = Optional.empty();
    private Optional<MemoryWindow> two = Optional.empty();
    private boolean zeroBased;

    /** Requests that the binding queue pair posts in this life. */
    private QueuePairLife binder;

    /** Allowed failure statuses of requests through a window: none until one changes. */
    private Set<Status> whenChanged = EnumSet.noneOf(Status.class);

    /** Key of a type 2 window that a remote message invalidates: later requests on the same queue find it invalid. */
    private Optional<Integer> dead = Optional.empty();

    private int untilChange;
    private int untilNext;

    WindowTraffic(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("windows");
        RcConnection attributes = sweep.patient(random);
        connection = new Renewable(
                sweep, "windows", random, sweep.a().half(), sweep.b().half().withCapacity(CAPACITY), attributes);
        stranger = sweep.connected(sweep.patient(random));
        binder = sweep.promises().life("binder");
        try {
            region = Optional.of(sweep.world()
                    .await(sweep.b()
                            .domain
                            .register(
                                    Registration.of(sweep.b().memory).withAccess(Access.LOCAL_WRITE, Access.MW_BIND))));
            narrow = allocate(WindowType.TYPE_1);
            narrow.ifPresent(this::bindFirstCell);
            begin();
        } catch (VerbsException refused) {
            region = Optional.empty();
        }
    }

    private void begin() {
        binder.cutOff();
        binder = sweep.promises().life("binder");
        binder.cutOff();
        whenChanged = EnumSet.noneOf(Status.class);
        dead = Optional.empty();
        untilChange = random.nextInt(10);
        untilNext = untilChange + 2 + random.nextInt(6);
        zeroBased = random.nextBoolean();
        one.ifPresent(old -> sweep.promises().verb("free", old.deallocate()));
        two.filter(old -> random.nextBoolean())
                .ifPresent(old -> sweep.promises().verb("free", old.deallocate()));
        one = allocate(WindowType.TYPE_1);
        two = allocate(WindowType.TYPE_2);
        for (int i = 0; i < 8; i++) {
            int number = i;
            ReceiveWaves.quietly(() -> connection.remote().postReceive(sweep.b().receiveOf(number)));
        }
        one.ifPresent(window -> settled(bind(window, Set.of())));
        two.ifPresent(window -> settled(bind(window, Set.of())));
    }

    /** Allocates a window; empty if a disaster prevents it. */
    private Optional<MemoryWindow> allocate(WindowType type) {
        try {
            return Optional.of(sweep.world().await(sweep.b().domain.allocateWindow(type)));
        } catch (VerbsException refused) {
            return Optional.empty();
        }
    }

    private CompletionStage<WorkCompletion> bind(MemoryWindow window, Set<Status> mayFail) {
        WindowBinding all = WindowBinding.of(region.orElseThrow()).withAccess(REMOTE);
        boolean fromZero = zeroBased && window.type() == WindowType.TYPE_2;
        CompletionStage<WorkCompletion> stage =
                Binds.submit(connection.remote(), 1, window, fromZero ? all.withZeroBased() : all);
        binder.add("BIND_MW", stage, () -> {}, mayFail);
        return stage;
    }

    /** Waits for a bind, before any request uses the window. */
    private void settled(CompletionStage<WorkCompletion> stage) {
        try {
            sweep.world().await(stage);
        } catch (VerbsException refused) {
            whenChanged.add(Status.REM_ACCESS_ERR);
        }
    }

    @Override
    public void step() {
        if (region.isEmpty() || connection.isLost()) {
            return;
        }
        if (untilNext-- == 0) {
            connection.renew(sweep.patient(random));
            if (connection.isLost()) {
                return;
            }
            begin();
        }
        if (untilChange-- == 0) {
            change();
        }
        (random.nextInt(3) == 0 ? two : one).ifPresent(this::through);
    }

    private void change() {
        // A READ that was sent twice is executed twice: the requester does not wait for the second answer (rule
        // rc-ghost).
        whenChanged.add(Status.REM_ACCESS_ERR);
        whenChanged.add(Status.RETRY_EXC_ERR);
        connection.life().mayFailWith(Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
        switch (random.nextInt(6)) {
            case 0, 1 -> one.ifPresent(window -> bind(window, Set.of()));
            case 2 ->
                two.ifPresent(window -> binder.add(
                        "LOCAL_INV", connection.remote().submit(LocalInvalidate.of(2, window.rkey())), () -> {}));
            case 3 -> two.ifPresent(this::invalidateRemotely);
            case 4 -> two.ifPresent(this::bindWhatIsBound);
            default -> {
                one.ifPresent(window -> sweep.promises().verb("free", window.deallocate()));
                one = Optional.empty();
            }
        }
    }

    private void bindFirstCell(MemoryWindow window) {
        WindowBinding first = WindowBinding.of(
                        region.orElseThrow(), sweep.b().region.address(), SweepNode.CELL)
                .withAccess(REMOTE);
        CompletionStage<WorkCompletion> bound = stranger.b().qp().submitBind(1, window, first);
        sweep.promises().life("stranger's binder").add("BIND_MW", bound, () -> {});
        settled(bound);
    }

    private void bindWhatIsBound(MemoryWindow window) {
        WindowBinding all = WindowBinding.of(region.orElseThrow()).withAccess(REMOTE);
        binder.add(
                "BIND_MW again",
                Binds.submit(connection.remote(), 1, window, all),
                WindowTraffic::neverRight,
                EnumSet.of(Status.MW_BIND_ERR));
    }

    private void invalidateRemotely(MemoryWindow window) {
        int cell = random.nextInt(SweepNode.CELLS);
        Send send = Send.of(cell, sweep.a().source(cell, 64)).withInvalidate(window.rkey());
        connection.life().add("SEND_WITH_INV", connection.local().submit(send), () -> {});
        dead = Optional.of(window.rkey());
    }

    private void through(MemoryWindow window) {
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        int cell = random.nextInt(SweepNode.CELLS);
        int bytes = 1 + random.nextInt(SweepNode.CELL);
        RcWork work = switch (random.nextInt(5)) {
            case 0, 1 -> RdmaWrite.of(cell, a.source(cell, bytes), by(window, b.remoteTarget(cell)));
            case 2, 3 -> RdmaRead.of(cell, a.target(cell, bytes), by(window, b.remoteSource(cell)));
            default -> FetchAdd.of(cell, a.result(cell), by(window, b.word(random.nextInt(4), false)), 1);
        };
        boolean isDead = dead.filter(key -> key == window.rkey()).isPresent();
        connection
                .life()
                .add(
                        work.getClass().getSimpleName() + " " + cell,
                        connection.local().submit(work),
                        isDead ? WindowTraffic::neverRight : check(work, cell, bytes),
                        whenChanged);
    }

    private static void neverRight() {
        throw new AssertionError("a request that no window allows succeeded");
    }

    private RemoteAddress by(MemoryWindow window, RemoteAddress plain) {
        boolean fromZero = zeroBased && window.type() == WindowType.TYPE_2;
        long first = sweep.b().region.address();
        return window.remote(fromZero ? plain.address() - first : plain.address());
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

    /**
     * Checks forbidden accesses: a type 2 window serves no other queue pair, and no window covers more than it was bound to.
     */
    @Override
    public void finish() {
        QueuePairLife trespass = sweep.promises().life("windows' trespass", Status.REM_ACCESS_ERR);
        (random.nextBoolean() ? two : narrow)
                .ifPresent(window -> trespass.add(
                        "WRITE",
                        stranger.a()
                                .submit(RdmaWrite.of(
                                        1,
                                        sweep.a().source(0, 64),
                                        by(window, sweep.b().remoteTarget(0)))),
                        WindowTraffic::neverRight));
        region.ifPresent(left -> sweep.promises().verb("deregister", left.deregister(), Errno.EBUSY));
    }
}
