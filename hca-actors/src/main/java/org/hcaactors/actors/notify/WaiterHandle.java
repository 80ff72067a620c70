// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.notify;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.VerbsException;

/** Handle of a thread that completion queues can wake; both callers and completion queues use it. */
public final class WaiterHandle implements Waiter, ActorHandle {
    private final int number;
    private final CommandSender<WaiterActor.Command> commandSender;
    private volatile State state = State.RUNNING;

    WaiterHandle(int number, CommandSender<WaiterActor.Command> commandSender) {
        this.number = number;
        this.commandSender = commandSender;
    }

    @Override
    public CommandSender<WaiterActor.Command> commandSender() {
        return commandSender;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public State state() {
        return state;
    }

    void is(State now) {
        state = now;
    }

    @Override
    public CompletionStage<WakeCause> await() {
        return commandSender.ask(WaiterActor.Await::new);
    }

    @Override
    public Flow.Publisher<WakeCause> wakeups() {
        return commandSender.publisher(subscriber -> new WaiterActor.Subscribe(subscriber));
    }

    @Override
    public void interrupt() {
        if (!commandSender.tell(WaiterActor.Interrupt.INSTANCE)) {
            throw commandSender.closedException();
        }
    }

    @Override
    public CompletionStage<Void> end() {
        return commandSender.ask(WaiterActor.End::new);
    }

    @Override
    public CompletionStage<Void> destroy() {
        return commandSender.close(WaiterActor.Destroy::new);
    }

    /**
     * Registers a completion queue; from then on closing the thread is refused.
     *
     * @throws VerbsException EINVAL if it is closed
     */
    public void named(int queue, DeviceHealth health) {
        if (!commandSender.tell(new WaiterActor.Named(queue, health))) {
            throw commandSender.closedException();
        }
    }

    /**
     * Delivers a notification of an armed queue.
     *
     * @param channel receives the interrupt, if there is one
     * @param services of the queue's adapter
     */
    public void notify(CompletionQueue queue, Optional<CompletionChannelHandle> channel, Services services) {
        commandSender.actor().tell(new WaiterActor.Notify(queue, channel, services));
    }

    /** Reports that a registered queue is in error. */
    public void queueFailed(int queue, VerbsException reason) {
        commandSender.actor().tell(new WaiterActor.QueueFailed(queue, reason));
    }

    /** Called when a registered queue is destroyed. Completes when none of its notifications is in flight. */
    public CompletionStage<Void> queueDestroyed(int queue) {
        return commandSender.pass(reply -> new WaiterActor.QueueDestroyed(queue, reply));
    }

    @Override
    public String toString() {
        return describe();
    }
}
