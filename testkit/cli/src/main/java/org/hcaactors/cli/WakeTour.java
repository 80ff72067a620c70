// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;

/** The second half of part six of the tour: a thread of dave's that AS-notify wakes. The world's clock says when it sleeps. */
final class WakeTour {
    private static final Duration PAUSE = Duration.ofNanos(20_000);
    /** Duration of each step of dave's program. */
    private static final Duration PACE = Duration.ofNanos(2_000);

    private static final String ASLEEP = "asleep";

    private final World world;
    private final Adapter alices;
    private final Adapter daves;
    private final Waiter thread;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 602;

    /** @param thread of the process {@code app} on the host of {@code daves} */
    WakeTour(World world, Adapter alices, Adapter daves, Waiter thread) {
        this.world = world;
        this.alices = alices;
        this.daves = daves;
        this.thread = thread;
    }

    List<RcTour.Step> run() {
        Inbox inbox = new Inbox(daves.process("app").open());
        woken(inbox);
        interrupted(inbox);
        pollArmWait(inbox);
        return steps;
    }

    private int now() {
        world.settle();
        return world.trace().events().size();
    }

    /** Dave's receiving end, with a completion queue that wakes its thread. */
    private final class Inbox {
        final CompletionChannel channel;
        final CompletionQueue queue;
        private final Ends<RcEnd> ends;

        Inbox(DeviceContext context) {
            channel = world.await(context.createChannel());
            queue = world.await(
                    context.createCq(CqDescription.of(15).withChannel(channel).withWaiter(thread)));
            Side side = Side.within(world.network(), context.allocatePd(), FirmwareTour.SHAPE.memoryBytes());
            Half half = Half.on(side).withCapacity(QpCapacity.of(16)).withRecvCq(queue);
            ends = RcEnd.connect(
                    world.network(),
                    Half.of(world.network(), alices, FirmwareTour.SHAPE),
                    half,
                    FirmwareTour.SHAPE.attributes());
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
