// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.notify.WaiterBlueprint;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;

/** Threads of one process that completion queues can wake. Any thread. */
final class ProcessThreads {
    private final String process;
    private final CommandSender<AdapterActor.Command> adapter;

    @MutationPoint("process-threads.open")
    private final Set<WaiterHandle> open = new LinkedHashSet<>();

    private boolean ended;

    ProcessThreads(String process, CommandSender<AdapterActor.Command> adapter) {
        this.process = process;
        this.adapter = adapter;
    }

    /** @param on services of the adapter as it is now; threads outlive a restart of the adapter */
    CompletionStage<Waiter> start(Services on) {
        return adapter.<WaiterHandle>ask(reply -> new AdapterActor.Create<>(on, new WaiterBlueprint(), reply))
                .thenApply(this::started);
    }

    /** Ends the new thread if the process has ended meanwhile. */
    private WaiterHandle started(WaiterHandle thread) {
        if (!add(thread)) {
            thread.closeAsync();
            throw VerbsException.invalid("process " + process + " has exited");
        }
        thread.commandSender().whenClosed(() -> remove(thread));
        return thread;
    }

    private synchronized boolean add(WaiterHandle thread) {
        return !ended && open.add(thread);
    }

    private synchronized void remove(WaiterHandle thread) {
        open.remove(thread);
    }

    synchronized List<WaiterHandle> all() {
        return List.copyOf(open);
    }

    // rule notify-own
    /** @throws VerbsException EINVAL unless it is a live thread of this process */
    @MutationPoint("process-threads.own")
    synchronized WaiterHandle require(Waiter waiter) {
        if (waiter instanceof WaiterHandle thread && open.contains(thread) && thread.state() != Waiter.State.GONE) {
            return thread;
        }
        throw VerbsException.invalid("a completion queue can't wake " + waiter.describe()
                + ", which has ended or belongs to another process; only threads of process " + process
                + " are allowed");
    }

    /** Ends the thread of that number, if there is one. */
    void end(int number) {
        all().stream().filter(thread -> thread.number() == number).forEach(WaiterHandle::end);
    }

    /** Ends the threads; their waits end. */
    CompletionStage<Void> end() {
        synchronized (this) {
            ended = true;
        }
        return SequentialClose.each(all(), thread -> thread.end().exceptionally(failure -> null));
    }

    /** Closes the threads after all completion queues that refer to them are closed. */
    CompletionStage<Void> close() {
        return SequentialClose.each(all(), thread -> thread.closeAsync().exceptionally(failure -> null));
    }
}
