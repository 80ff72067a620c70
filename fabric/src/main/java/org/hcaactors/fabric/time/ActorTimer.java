// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.time;

import java.time.Duration;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * One armed timer for one actor, whatever the number of its deadlines. It may fire early, against a deadline that has
 * moved on since; the actor then arms it again. So nothing is cancelled for each packet.
 */
public final class ActorTimer<M> {
    public static final long NEVER = Long.MAX_VALUE;

    private final ActorContext<M> context;
    private final M message;
    private long armedFor = NEVER;
    private @Nullable Cancellable armed;

    public ActorTimer(ActorContext<M> context, M message) {
        this.context = context;
        this.message = message;
    }

    /** The message comes no later than {@code deadline} as it is, so that nothing is to be armed. */
    public boolean comesBy(long deadline) {
        return deadline >= armedFor;
    }

    /** Makes sure that the message comes no later than {@code deadline}; {@link #NEVER} asks for nothing. */
    public void arm(long now, long deadline) {
        if (comesBy(deadline)) {
            return;
        }
        if (armed != null) {
            armed.cancel();
        }
        armedFor = deadline;
        armed = context.scheduleOnce(Duration.ofNanos(Math.max(1, deadline - now)), context.getSelf(), message);
    }

    /** Its actor ends: nothing holds on to it until a deadline that may be hours away. */
    public void disarm() {
        if (armed != null) {
            armed.cancel();
        }
        fired();
    }

    /** To be called when the message arrives, before arming again. */
    public void fired() {
        armedFor = NEVER;
        armed = null;
    }
}
