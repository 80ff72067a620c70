// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.error.VerbsException;

/**
 * Object behind an actor that defines the effect of an exception thrown while it handles a message. Its {@link
 * CrashSupervisor} catches and logs the exception, keeps the actor running, and fails the pending reply.
 *
 * @param <C> commands of the actor
 */
public interface CrashAware<C> {
    /** Handles a command. Returns {@code same} or {@code stopped}. */
    Behavior<C> on(C command);

    default Behavior<C> onSignal(Signal signal) {
        return Behaviors.unhandled();
    }

    /**
     * Called after handling a message threw. If the sender still waits for a reply, the reply fails with the returned exception.
     *
     * @param message a command, a signal, or an unexpected type
     * @param crash the exception, to be the cause of the reply
     */
    VerbsException crashed(Object message, Throwable crash);
}
