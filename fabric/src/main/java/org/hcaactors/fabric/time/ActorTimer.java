// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.time;

import java.time.Duration;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * One timer for one actor, for any number of deadlines. It may fire early, for a deadline that has been moved since; the actor
 * then arms it again. So no timer is cancelled for each packet.
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

    /** True if the message will arrive no later than {@code deadline}, so that the timer need not be armed. */
    public boolean firesBy(long deadline) {
        return deadline >= armedFor;
    }

    /** Ensures that the message arrives no later than {@code deadline}; {@link #NEVER} has no effect. */
    public void arm(long now, long deadline) {
        if (firesBy(deadline)) {
            return;
        }
        if (armed != null) {
            armed.cancel();
        }
        armedFor = deadline;
        armed = context.scheduleOnce(Duration.ofNanos(Math.max(1, deadline - now)), context.getSelf(), message);
    }

    /** Cancels the timer when its actor ends; otherwise it would refer to the actor until a deadline that may be hours away. */
    public void disarm() {
        if (armed != null) {
            armed.cancel();
        }
        fired();
    }

    /** Call it when the message arrives, before arming again. */
    public void fired() {
        armedFor = NEVER;
        armed = null;
    }
}
