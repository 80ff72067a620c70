// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

// rules firmware-restart, firmware-levels, firmware-activation, firmware-effect
/**
 * An adapter that restarts during traffic in both directions, with changed firmware settings. Its process survives and creates
 * its objects again on the same memory: objects from before never answer, new ones work, and the settings are those of a {@link
 * FirmwareModel}. The host restarts it, not the fault plan, so that a repeated run does the same.
 */
final class RestartedAdapter implements Workload {
    private static final int BYTES = 512;
    private static final int CELLS = 16;
    private static final int TALLY = CELLS * BYTES;
    private static final int RESULT = TALLY + Long.BYTES;
    private static final int READS = RESULT + Long.BYTES;
    private static final int MEMORY = READS + CELLS * BYTES;
    private static final int MAX_STRAYS = 3;
    /** Minimum that the adapter allows under any settings. */
    private static final int MIN_RD_ATOMIC = 2;

    /**
     * Objects of its process between two restarts.
     *
     * @param in from another adapter to it
     * @param out from it to another adapter
     */
    private record Home(Side side, Ends<RcEnd> in, QueuePairLife inLife, Ends<RcEnd> out, QueuePairLife outLife) {
        DeviceContext context() {
            return side.context();
        }
    }

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final Adapter adapter;
    private final FirmwareChanges firmware;
    private final VerbAnswers answers;
    private final HostMemory memory;
    private final Waiter thread;
    private final List<Home> old = new ArrayList<>();
    private Optional<Home> home = Optional.empty();
    private Optional<CompletionStage<WakeCause>> sleeping = Optional.empty();
    /** True if objects from before were closed since the restart, which ends a wait for any queue. */
    private boolean closed;

    private boolean lost;
    private int restarts;
    private int strays;
    private int added;
    private int mayHaveAdded;
    private int number;

    RestartedAdapter(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("restarted adapter");
        adapter = world.network().addAdapter("restarting", Profile.CONNECTX_5_IBM);
        firmware = new FirmwareChanges(adapter, random);
        answers = new VerbAnswers(world, "restarted adapter");
        memory = adapter.process(SweepNode.PROCESS).allocate(MEMORY);
        thread = world.await(adapter.process(SweepNode.PROCESS).startWaiter());
        if (random.nextBoolean()) {
            turnOn();
        }
        begin();
    }

    /** Enables host features and power-cycles the adapter, so that threads can wait on its queues. */
    private void turnOn() {
        firmware.turnOnWhatHelpsTheHost();
        restart(Restart.POWER_CYCLE);
    }

    /** Creates the objects; does nothing if a disaster struck its peers. */
    private void begin() {
        ProtectionDomain domain = adapter.process(SweepNode.PROCESS).open().allocatePd();
        MemoryRegion region =
                world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        Side side = new Side(adapter, domain.context(), domain, memory, region);
        try {
            Ends<RcEnd> in = sweep.connected(sweep.a().half(), Half.on(side), impatient());
            Ends<RcEnd> out = sweep.connected(Half.on(side), sweep.b().half(), impatient());
            QueuePairLife inLife = sweep.promises().life("to the restarted adapter");
            QueuePairLife outLife = sweep.promises().life("from the restarted adapter");
            home = Optional.of(new Home(side, in, inLife, out, outLife));
        } catch (VerbsException refused) {
            if (sweep.severity() != FaultSeverity.DISASTER) {
                throw new AssertionError("a restarted adapter cannot be connected: " + refused, refused);
            }
            lost = true;
        }
        settingsCount(domain);
    }

    /** Returns attributes with a short timeout, so that a peer notices a restart soon. */
    private RcConnection impatient() {
        return sweep.patient(random)
                .withTimeoutCode(7)
                .withRetryCount(random.nextInt(7))
                .withRdAtomic(1 + random.nextInt(MIN_RD_ATOMIC));
    }

    @Override
    public void step() {
        if (home.isEmpty() && !lost) {
            begin();
        }
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> firmware.set();
            case 3 -> firmware.reset();
            case 4, 5 -> restart();
            case 6 -> randomOldHome().ifPresent(this::refusesEverything);
            case 7 -> randomOldHome().ifPresent(this::stale);
            case 8 -> randomOldHome().ifPresent(this::close);
            case 9, 10, 11, 12 -> home.ifPresent(this::inwards);
            default -> home.ifPresent(this::outwards);
        }
    }

    private Optional<Home> randomOldHome() {
        return old.isEmpty() ? Optional.empty() : Optional.of(old.get(random.nextInt(old.size())));
    }

    private void inwards(Home to) {
        if (random.nextInt(4) > 0) {
            int cell = random.nextInt(CELLS);
            int bytes = random.nextInt(BYTES + 1);
            write(to, cell, bytes, () -> written(cell, bytes));
        } else {
            mayHaveAdded++;
            FetchAdd add = FetchAdd.of(number++, sweep.a().result(number), to.side.remote(TALLY), 1);
            CompletionStage<WorkCompletion> stage = to.in.a().submit(add);
            stage.thenAccept(done -> added += done.isSuccess() ? 1 : 0);
            to.inLife.add("FETCH_ADD " + number, stage, () -> {});
        }
    }

    private void write(Home to, int cell, int bytes, Runnable check) {
        RdmaWrite write = RdmaWrite.of(number++, sweep.a().source(cell, bytes), to.side.remote((long) cell * BYTES));
        to.inLife.add("WRITE " + number, to.in.a().submit(write), check);
    }

    /** Checks a written cell: all writers write the same bytes. */
    private void written(int cell, int bytes) {
        ByteChecks.same("WRITE " + cell, sweep.a().sourceBytes(cell, bytes), memory.read((long) cell * BYTES, bytes));
    }

    private void outwards(Home from) {
        if (random.nextInt(4) == 0) {
            FetchAdd add = FetchAdd.of(
                    number++, from.side.slice(RESULT, Long.BYTES), sweep.b().word(number, random.nextBoolean()), 1);
            from.outLife.add("FETCH_ADD " + number, from.out.a().submit(add), () -> {});
            return;
        }
        int bytes = 1 + random.nextInt(BYTES);
        int cell = random.nextInt(CELLS);
        long offset = READS + (long) cell * BYTES;
        RdmaRead read =
                RdmaRead.of(number++, from.side.slice(offset, bytes), sweep.b().remoteSource(cell));
        from.outLife.add(
                "READ " + number,
                from.out.a().submit(read),
                () -> ByteChecks.same("READ " + cell, sweep.b().sourceBytes(cell, bytes), memory.read(offset, bytes)));
    }

    private void restart() {
        restart(Restart.values()[random.nextInt(Restart.values().length)]);
        if (random.nextBoolean() && !lost) {
            begin();
        }
    }

    /** Restarts the adapter while requests are in progress to it and from it, and some are posted at that instant. */
    private void restart(Restart how) {
        Map<String, Long> counted = adapter.counters();
        home.ifPresent(now -> {
            now.inLife.mayFailWith(Status.RETRY_EXC_ERR);
            now.outLife.cutOff();
        });
        restarts++;
        home.ifPresent(this::beside);
        CompletionStage<Void> restarted = firmware.restart(how);
        home.ifPresent(this::beside);
        home.ifPresent(this::outwards);
        home.ifPresent(this::inwards);
        world.await(restarted);
        firmware.check();
        goesOn(counted);
        wakesNobody();
        home.ifPresent(before -> {
            old.add(before);
            write(before, random.nextInt(CELLS), BYTES, RestartedAdapter::neverRight);
            home = Optional.empty();
        });
    }

    /** Calls a verb at the instant of the restart: it completes, or is refused like later calls. */
    private void beside(Home now) {
        switch (random.nextInt(5)) {
            case 0 ->
                sweep.promises().verb("createCq during a restart", now.context().createCq(1), Errno.EIO);
            case 1 ->
                sweep.promises()
                        .verb(
                                "register during a restart",
                                now.side.domain().register(memory, Access.LOCAL_WRITE),
                                Errno.EIO);
            case 2 ->
                sweep.promises()
                        .verb("createQp during a restart", now.side.domain().createQp(QpDescription.rc()), Errno.EIO);
            case 3 ->
                sweep.promises().verb("query during a restart", now.out.a().qp().query(), Errno.EIO);
            default -> {}
        }
    }

    private void goesOn(Map<String, Long> counted) {
        if (!adapter.port(1).active()) {
            throw new AssertionError("restarted adapter: the cable is plugged in, but the port is not active");
        }
        Map<String, Long> now = adapter.counters();
        counted.forEach((name, before) -> {
            if (now.getOrDefault(name, 0L) < before) {
                throw new AssertionError(
                        "restarted adapter: counter " + name + " decreased from " + before + " to " + now.get(name));
            }
        });
    }

    // rules notify-device-fatal, notify-destroyed
    private void wakesNobody() {
        sleeping.filter(wait -> !wait.toCompletableFuture().isDone() || !closed)
                .ifPresent(wait ->
                        answers.refused(Errno.EIO, "wait of a thread on queues from before the restart", () -> wait));
        sleeping = Optional.empty();
        closed = false;
    }

    /** Checks that a feature is available once its setting is in effect, and not before. */
    private void settingsCount(ProtectionDomain domain) {
        if (random.nextBoolean()) {
            CqDescription requested = CqDescription.of(1).withWaiter(thread);
            Supplier<CompletionStage<?>> create = () -> domain.context().createCq(requested);
            if (firmware.isOn(FirmwareParameter.IBM_AS_NOTIFY_EN)) {
                answers.carriedOut("createCq with AS-notify", create);
                sleeping = sleeping.or(() -> Optional.of(thread.await()));
            } else {
                answers.refused(Errno.EOPNOTSUPP, "createCq with AS-notify", create);
            }
        }
        if (random.nextBoolean()) {
            Supplier<CompletionStage<?>> register = () -> domain.register(Registration.of(memory)
                    .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                    .withTunneledAtomics());
            if (firmware.isOn(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN)) {
                answers.carriedOut("register with tunneled atomics", register);
            } else {
                answers.refused(Errno.EINVAL, "register with tunneled atomics", register);
            }
        }
    }

    /** Checks that a context from before the restart refuses every verb. */
    private void refusesEverything(Home before) {
        switch (random.nextInt(4)) {
            case 0 ->
                answers.refused(
                        Errno.EIO,
                        "createCq in a context from before the restart",
                        () -> before.context().createCq(1));
            case 1 ->
                answers.refused(
                        Errno.EIO,
                        "register in a domain from before the restart",
                        () -> before.side.domain().register(memory, Access.LOCAL_WRITE));
            case 2 ->
                answers.refused(
                        Errno.EIO,
                        "createQp in a domain from before the restart",
                        () -> before.side.domain().createQp(QpDescription.rc()));
            default ->
                answers.refused(
                        Errno.EIO,
                        "query of a queue pair from before the restart",
                        () -> before.out.a().qp().query());
        }
    }

    /** Checks that a new connection can't use a key from before the restart. */
    private void stale(Home before) {
        home.filter(now -> strays++ < MAX_STRAYS).ifPresent(now -> {
            try {
                Ends<RcEnd> connected = sweep.connected(sweep.a().half(), Half.on(now.side), impatient());
                QueuePairLife life = sweep.promises().life("by a key of before", Status.RETRY_EXC_ERR);
                life.add(
                        "WRITE " + number,
                        connected.a().submit(RdmaWrite.of(number++, sweep.a().source(0, 8), before.side.remote(0))),
                        RestartedAdapter::neverRight,
                        Set.of(Status.REM_ACCESS_ERR));
            } catch (VerbsException refused) {
                lost = true;
            }
        });
    }

    private static void neverRight() {
        throw new AssertionError("a request that used an object from before the restart succeeded");
    }

    /** Closes both ends of each connection. */
    private void close(Home before) {
        old.remove(before);
        closed = true;
        before.inLife.cutOff();
        sweep.promises().verb("close", before.in.a().qp().closeAsync());
        sweep.promises().verb("close", before.out.b().qp().closeAsync());
        sweep.promises()
                .verb(
                        "close the context from before the restart",
                        before.context().closeAsync());
    }

    @Override
    public void finish() {
        List.copyOf(old).forEach(this::close);
    }

    @Override
    public void atRest() {
        firmware.check();
        if (world.watch() != Watch.NOBODY) {
            long reported = sweep.raised(adapter, new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0))
                    .count();
            if (reported != restarts) {
                throw new AssertionError(
                        "the adapter restarted " + restarts + " times, but raised DEVICE_FATAL " + reported + " times");
            }
        }
        FaultSeverity severity = sweep.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        long tally = memory.readLong(TALLY);
        if (tally < added || tally > mayHaveAdded) {
            throw new AssertionError("restarted adapter: the word is %d after %d additions, of which %d succeeded"
                    .formatted(tally, mayHaveAdded, added));
        }
    }
}
