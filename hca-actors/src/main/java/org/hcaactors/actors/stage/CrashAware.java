// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.error.VerbsException;

/**
 * An object behind an actor, which may throw over any message and says what that means. What follows otherwise is its
 * {@link CrashSupervisor}'s.
 *
 * @param <C> what the actor understands
 */
public interface CrashAware<C> {
    /** Answers {@code same} or {@code stopped}. */
    Behavior<C> on(C command);

    default Behavior<C> onSignal(Signal signal) {
        return Behaviors.unhandled();
    }

    /**
     * Handling that threw. Where its sender waits for an answer, it gets what is returned here, unless it has been answered.
     *
     * @param message a command or a signal, or what is none and was told nevertheless
     * @param crash what it threw, to be the cause of the answer
     */
    VerbsException crashed(Object message, Throwable crash);
}
