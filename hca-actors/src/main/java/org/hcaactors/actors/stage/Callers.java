// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.adapter.stage.SubscriberCalls;

/**
 * The callers' side of a network, or of one process: nothing of theirs runs on an adapter's thread unless they asked for that.
 *
 * @param executor where stages complete and refused subscribers are told
 * @param waiting how they wait
 * @param subscriptions where subscriptions run by default
 * @param calls of subscribers and readers that are being made
 * @param killed the process was killed: its code is called with nothing more that it asked for
 */
public record Callers(
        Executor executor,
        StageWaiting waiting,
        DispatcherSelector subscriptions,
        SubscriberCalls calls,
        BooleanSupplier killed)
        implements Executor {
    /** Of a network. */
    public Callers(Executor executor, StageWaiting waiting, DispatcherSelector subscriptions) {
        this(executor, waiting, subscriptions, new SubscriberCalls(), () -> false);
    }

    /** Of one of its processes. */
    public Callers of(BooleanSupplier isKilled) {
        return new Callers(executor, waiting, subscriptions, calls, isKilled);
    }

    /** The same, with stages that complete on that executor. */
    public Callers on(Executor other) {
        return new Callers(other, waiting, subscriptions, calls, killed);
    }

    public boolean areKilled() {
        return killed.getAsBoolean();
    }

    @Override
    public void execute(Runnable action) {
        executor.execute(action);
    }

    /** Told of each stage that is given out, and of what is made and goes. */
    public ResourceAudit audit() {
        return waiting.audit();
    }
}
