// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FiredFault;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

// rules notify-wakes, notify-latched, notify-gone, notify-unit-off, notify-counters
/**
 * Programs that sleep until a completion queue wakes their thread, on an adapter of their own. They are held up between any two
 * steps and interrupted, their threads are ended, and the host's notify unit is off for a while; both the host and the fault
 * plan do this, and the plan also loses notifications. A program that arms, polls and waits misses nothing, unless the
 * notification of its last arm was lost, and each program wakes as often as its thread was woken.
 */
final class AsNotifyWakes implements Workload {
    private static final int MESSAGES = 60;
    private static final int BYTES = 64;

    private record Line(ArmedProgram program, Ends<RcEnd> ends, QueuePairLife life) {}

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final World world;
    private final Adapter adapter;
    private boolean unitIsOn = true;
    private final List<Line> lines = new ArrayList<>();
    private int sent;

    AsNotifyWakes(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("woken threads");
        world = sweep.world();
        adapter = sweep.notifying();
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            begin();
        }
    }

    /** Starts the programs, unless a disaster prevents it. */
    private void begin() {
        sweep.tryCreate("woken threads cannot start", this::line).ifPresent(lines::add);
    }

    private Line line() {
        Side side = Side.of(world.network(), adapter, SweepNode.PROCESS, BYTES);
        Waiter thread = world.await(side.context().process().startWaiter());
        CompletionChannel channel = world.await(side.context().createChannel());
        CqDescription requested =
                CqDescription.of(MESSAGES).withChannel(channel).withWaiter(thread);
        ArmedProgram program = new ArmedProgram(
                world,
                random.split(),
                world.await(side.context().createCq(requested)),
                thread,
                channel,
                random.nextInt(3) == 0);
        if (random.nextInt(4) == 0) {
            sweep.promises()
                    .verb(
                            "moderate",
                            program.queue().moderate(1 + random.nextInt(3), Duration.ofNanos(20_000)),
                            Errno.EOPNOTSUPP);
        }
        Half to = Half.on(side).withRecvCq(program.queue()).withCapacity(QpCapacity.DEFAULT.withMaxRecvWr(MESSAGES));
        Ends<RcEnd> ends = sweep.connected(sweep.a().half(), to, sweep.patient(random));
        for (int i = 0; i < MESSAGES; i++) {
            ends.b().postReceive(Receive.of(i, side.slice(0, BYTES)));
        }
        program.round();
        return new Line(program, ends, sweep.promises().life("woken threads"));
    }

    @Override
    public void step() {
        if (lines.isEmpty()) {
            return;
        }
        Line line = lines.get(random.nextInt(lines.size()));
        switch (random.nextInt(24)) {
            case 0 -> ReceiveWaves.quietly(() -> line.program.thread().interrupt());
            case 1 -> end(line);
            case 2 -> turn(!unitIsOn);
            case 3, 4, 5, 6, 7, 8 -> line.program.goOn();
            default -> message(line);
        }
    }

    /** Turns the notify unit on or off through the host, not through the fault plan, so that a repeated run does the same. */
    private void turn(boolean on) {
        unitIsOn = on;
        world.network().threadsOf(adapter).turnNotifyUnit(on);
    }

    private void end(Line line) {
        if (random.nextInt(4) == 0) {
            world.network().threadsOf(adapter).end(line.program.thread().number());
        }
    }

    private void message(Line line) {
        if (line.life.requests().size() < MESSAGES) {
            Send send = Send.of(sent++, sweep.a().source(0, 1 + random.nextInt(BYTES)));
            line.life.add(
                    "SEND " + sent, line.ends.a().submit(random.nextBoolean() ? send.withSolicited() : send), () -> {});
        }
    }

    @Override
    public void finish() {
        turn(true);
        lines.forEach(line -> line.program.goOn());
    }

    /** Releases programs that are held up; each has at most one more step. */
    @Override
    public void close() {
        for (Line line : lines) {
            line.program.runFreely();
        }
    }

    @Override
    public void atRest() {
        if (sweep.severity() == FaultSeverity.DISASTER) {
            return;
        }
        lines.forEach(this::missesNothing);
        if (world.watch() != Watch.NOBODY) {
            counts();
        }
    }

    private void missesNothing(Line line) {
        int left = line.program.left();
        boolean mayMiss = line.program.isHasty() && !adapter.profile().has(Quirk.ARM_FIRES_FOR_UNPOLLED);
        if (left > 0 && !mayMiss && !lostSinceItsArm(line.program)) {
            throw new AssertionError(left + " completions are unpolled in " + line.program.queue() + " after "
                    + line.program.seen() + " polled ones, but " + line.program.thread() + " sleeps");
        }
    }

    /** True if the plan lost a wake-up since the program's last arm. On hardware, too, nothing reports this. */
    private boolean lostSinceItsArm(ArmedProgram program) {
        return lost(program.queue().number()).anyMatch(nanos -> nanos >= program.armedAt());
    }

    /** Returns the times of the lost notifications of the given completion queue. */
    private LongStream lost(int cq) {
        List<Fault> plan = world.faults().plan().faults();
        return world.faults().firings().stream()
                .filter(firing -> plan.get(firing.fault()) instanceof Fault.LoseWakeup lost
                        && lost.adapter().equals(adapter.name())
                        && lost.cq() == cq)
                .mapToLong(FiredFault::nanos);
    }

    private void counts() {
        long notifications = world.trace()
                .of(HcaEvent.NotifySent.class)
                .filter(each -> each.port().equals(adapter.name()))
                .count();
        long arrived =
                Stream.of(NotifyOutcome.values()).mapToLong(this::outcomes).sum();
        long lost = lines.stream()
                .mapToLong(line -> lost(line.program.queue().number()).count())
                .sum();
        same("notifications", notifications, arrived + lost);
        for (Line line : lines) {
            long reported = world.trace()
                    .of(HcaEvent.WaiterWakes.class)
                    .filter(each -> each.port().equals(adapter.name())
                            && each.element().number() == line.program.thread().number())
                    .count();
            same("wake-ups of " + line.program.thread(), line.program.wakes(), reported);
        }
        same(Counter.AS_NOTIFY_DELIVERED, outcomes(NotifyOutcome.WOKEN) + outcomes(NotifyOutcome.LATCHED));
        same(Counter.AS_NOTIFY_LATCHED, outcomes(NotifyOutcome.LATCHED));
        same(Counter.MSI_FALLBACK, outcomes(NotifyOutcome.UNIT_OFF) + outcomes(NotifyOutcome.THREAD_GONE));
    }

    private long outcomes(NotifyOutcome outcome) {
        return world.trace()
                .of(HcaEvent.Notified.class)
                .filter(each -> each.outcome() == outcome && each.port().equals(adapter.name()))
                .count();
    }

    private void same(Counter counter, long reported) {
        same(counter.mlx5Name(), adapter.counters().getOrDefault(counter.mlx5Name(), -1L), reported);
    }

    private static void same(String what, long counted, long reported) {
        if (counted != reported) {
            throw new AssertionError(what + ": " + counted + " counted, but the trace contains " + reported);
        }
    }
}
