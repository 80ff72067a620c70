// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.error.VerbsException;

/**
 * An object behind an actor that defines what a crash while handling a message means. Its {@link CrashSupervisor} does the
 * rest.
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
     * Called after handling threw. If the sender waits for a reply and has none yet, it gets the returned exception.
     *
     * @param message a command, a signal, or an unexpected type
     * @param crash the exception, to be the cause of the reply
     */
    VerbsException crashed(Object message, Throwable crash);
}
