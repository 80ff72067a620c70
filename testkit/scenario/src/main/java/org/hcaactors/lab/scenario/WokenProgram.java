// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.scenario.Scenario.WokenThread;
import org.hcaactors.lab.world.World;

/**
 * A program whose thread arms its completion queue, polls it and waits, in the order of the scenario, until nothing can wake it
 * any more. Its process also reads the queue's completion channel: it polls after an interrupt, and arms the queue if the
 * thread is gone.
 */
final class WokenProgram {
    private final World world;
    private final WokenThread plan;
    private final Consumer<WorkCompletion> received;
    private final int entries;
    private final Waiter waiter;
    private final CompletionQueue queue;

    WokenProgram(World world, DeviceContext context, int entries, WokenThread plan, Consumer<WorkCompletion> received) {
        this.world = world;
        this.plan = plan;
        this.received = received;
        this.entries = entries;
        CompletionChannel channel = world.await(context.createChannel());
        waiter = world.await(context.process().startWaiter());
        queue = world.await(
                context.createCq(CqDescription.of(entries).withChannel(channel).withWaiter(waiter)));
        channel.wakeups().subscribe(Subscribers.forEach(one -> interrupted(), reason -> {}));
    }

    CompletionQueue queue() {
        return queue;
    }

    void start() {
        turn(0);
    }

    private void turn(int number) {
        if (waiter.state() == Waiter.State.GONE) {
            return;
        }
        try {
            switch (plan.turns().get(number % plan.turns().size())) {
                case ARM -> {
                    queue.arm(CompletionQueue.Arm.ANY);
                    after(number + 1);
                }
                case POLL ->
                    queue.poll(entries).thenAccept(all -> {
                        took(all);
                        after(number + 1);
                    });
                case WAIT -> waiter.await().thenAccept(cause -> after(number + 1));
            }
        } catch (VerbsException goneWithItsAdapter) {
            // The queue was destroyed; the thread ends.
        }
    }

    /** Runs the next action after the time of the last one. */
    private void after(int number) {
        if (plan.pace().isZero()) {
            turn(number);
        } else {
            world.system()
                    .scheduler()
                    .scheduleOnce(
                            plan.pace(), () -> turn(number), world.system().executionContext());
        }
    }

    private void interrupted() {
        if (waiter.state() == Waiter.State.GONE) {
            queue.arm(CompletionQueue.Arm.ANY);
        }
        queue.poll(entries).thenAccept(this::took);
    }

    private void took(List<WorkCompletion> completions) {
        completions.forEach(received);
    }
}
