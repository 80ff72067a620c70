// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;

/** Part six of the tour: a firmware setting, the restart that makes it effective, and a thread that is woken by AS-notify. */
final class FirmwareTour {
    private static final Duration PAUSE = Duration.ofNanos(20_000);
    /** Duration of each step of dave's program. */
    private static final Duration PACE = Duration.ofNanos(2_000);

    private static final String ASLEEP = "asleep";
    private static final Shape SHAPE =
            Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(8).withRetryCount(1));

    private final World world;
    private final Adapter alices;
    private final Adapter daves;
    private final HostProcess process;
    private final Waiter thread;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 600;

    FirmwareTour(World world, Adapter alices) {
        this.world = world;
        this.alices = alices;
        daves = world.network().addAdapter("dave", Profile.CONNECTX_5_IBM, World.DEFAULT_LINK);
        process = daves.process("app");
        thread = world.await(process.startWaiter());
    }

    List<RcTour.Step> run() {
        set();
        Inbox inbox = new Inbox(process.open());
        woken(inbox);
        interrupted(inbox);
        pollArmWait(inbox);
        return steps;
    }

    private int now() {
        world.settle();
        return world.trace().events().size();
    }

    // --- a setting, and the restart that makes it effective ---

    private void set() {
        ConnectedPair before = ConnectedPair.between(world.network(), alices, daves, SHAPE);
        int setAt = now();
        world.tell(daves, "firmware", "set IBM_AS_NOTIFY_EN=True(1), effective after the next start");
        daves.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        steps.add(new RcTour.Step("AS-notify, after the setting, before a power cycle", "EOPNOTSUPP", made(), setAt));
        int from = now();
        world.tell(daves, "device", "power cycle of dave while its processes run");
        world.await(daves.firmware().restart(Restart.POWER_CYCLE));
        steps.add(new RcTour.Step("AS-notify, after dave's power cycle", "granted", made(), from));
        write("WRITE to a queue pair from before the restart", before, Status.RETRY_EXC_ERR);
        write(
                "WRITE to the same process after it opened dave again",
                ConnectedPair.between(world.network(), alices, daves, SHAPE),
                Status.SUCCESS);
    }

    /** Creates a completion queue that wakes the thread. */
    private String made() {
        try (DeviceContext context = process.open()) {
            world.await(context.createCq(CqDescription.of(15).withWaiter(thread)));
            return "granted";
        } catch (VerbsException refused) {
            return refused.errno().name();
        }
    }

    private void write(String what, ConnectedPair pair, Status expected) {
        int from = now();
        RdmaWrite work = RdmaWrite.of(++workId, pair.a().slice(0, 64), pair.b().remote(0));
        Status got = world.await(pair.a().submit(work)).status();
        world.runFor(PAUSE);
        steps.add(new RcTour.Step(what, expected, got, from));
    }

    // --- a thread that a completion queue wakes ---

    /** Dave's receiving end, with a completion queue that wakes its thread. */
    private final class Inbox {
        final CompletionChannel channel;
        final CompletionQueue queue;
        private final Ends<RcEnd> ends;

        Inbox(DeviceContext context) {
            channel = world.await(context.createChannel());
            queue = world.await(
                    context.createCq(CqDescription.of(15).withChannel(channel).withWaiter(thread)));
            Side side = Side.within(world.network(), context.allocatePd(), SHAPE.memoryBytes());
            Half half = Half.on(side).withCapacity(QpCapacity.of(16)).withRecvCq(queue);
            ends = RcEnd.connect(world.network(), Half.of(world.network(), alices, SHAPE), half, SHAPE.attributes());
        }

        void arm() {
            queue.arm(CompletionQueue.Arm.ANY);
            world.runFor(PACE);
        }

        void message() {
            ends.b().postReceive(Receive.of(++workId, ends.b().slice(0, 64)));
            world.await(ends.a().submit(Send.of(++workId, ends.a().slice(0, 64))));
            world.runFor(PAUSE);
        }

        List<WorkCompletion> poll() {
            List<WorkCompletion> taken = world.await(queue.poll(15));
            world.runFor(PACE);
            return taken;
        }
    }

    private CompletionStage<WakeCause> asleep() {
        CompletionStage<WakeCause> wait = thread.await();
        world.runFor(PACE);
        return wait;
    }

    private void woken(Inbox inbox) {
        int from = now();
        inbox.arm();
        inbox.poll();
        CompletionStage<WakeCause> wait = asleep();
        inbox.message();
        woken("SEND that wakes dave's thread", WakeCause.AS_NOTIFY, wait, from);
        int runs = now();
        inbox.poll();
        inbox.arm();
        inbox.message();
        woken("SEND while the thread runs: its next wait ends at once", WakeCause.AS_NOTIFY, thread.await(), runs);
        inbox.poll();
    }

    private void woken(String what, WakeCause expected, CompletionStage<WakeCause> wait, int from) {
        world.settle();
        WakeCause got = wait.toCompletableFuture().getNow(null);
        steps.add(new RcTour.Step(what, expected.name(), got == null ? ASLEEP : got.name(), from));
    }

    private void interrupted(Inbox inbox) {
        int from = now();
        world.faults().now().turnNotifyUnitOff(daves, Interval.FOR_EVER);
        inbox.arm();
        CompletionStage<WakeCause> wait = asleep();
        inbox.message();
        woken("SEND while the notify unit of dave's host is off", WakeCause.MSI_FALLBACK, wait, from);
        world.faults().stop();
        inbox.poll();
    }

    /** Polls, arms and waits, in this order. */
    private void pollArmWait(Inbox inbox) {
        int from = now();
        inbox.poll();
        inbox.message();
        inbox.arm();
        CompletionStage<WakeCause> wait = asleep();
        world.runFor(PAUSE);
        String got = wait.toCompletableFuture().isDone() ? "woken" : ASLEEP;
        steps.add(new RcTour.Step("SEND between the thread's poll and its arm", ASLEEP, got, from));
        steps.add(explained());
        thread.interrupt();
        inbox.poll();
    }

    /** Checks the explanation. */
    private RcTour.Step explained() {
        int from = now();
        List<String> lines = Explainer.of(world.trace()).waiting().stream()
                .filter(one -> one.about() instanceof Explanation.Subject.Unfetched queue
                        && queue.adapter().equals(daves.name()))
                .flatMap(one -> one.lines().stream())
                .toList();
        boolean helps = lines.stream().anyMatch(line -> line.contains("it must poll once more after it arms"));
        return new RcTour.Step(
                "explanation of this wait", "poll once more", helps ? "poll once more" : "no event", from, lines);
    }
}
