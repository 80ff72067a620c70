// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.adapter.stage.SubscriberCalls;

/**
 * Callers of a network, or of one process: their code does not run on an adapter's thread unless they request it.
 *
 * @param executor where stages complete and refused subscribers are notified
 * @param waiting how they wait
 * @param subscriptions default dispatcher of subscriptions
 * @param calls running calls of subscribers and readers
 * @param killed true if the process was killed: its code gets no further results
 */
public record Callers(
        Executor executor,
        StageWaiting waiting,
        DispatcherSelector subscriptions,
        SubscriberCalls calls,
        BooleanSupplier killed)
        implements Executor {
    /** Creates the callers of a network. */
    public Callers(Executor executor, StageWaiting waiting, DispatcherSelector subscriptions) {
        this(executor, waiting, subscriptions, new SubscriberCalls(), () -> false);
    }

    /** Returns the callers of one of its processes. */
    public Callers of(BooleanSupplier isKilled) {
        return new Callers(executor, waiting, subscriptions, calls, isKilled);
    }

    /** Returns these callers with another executor for stages. */
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

    /** Returns the audit that records every stage, and objects as they are created and destroyed. */
    public ResourceAudit audit() {
        return waiting.audit();
    }
}
