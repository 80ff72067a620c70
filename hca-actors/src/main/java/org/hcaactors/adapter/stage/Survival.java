package org.hcaactors.adapter.stage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Starts an actor again after it threw, with the state it had: what the hardware's object holds does not vanish because
 * handling one message failed. The actor then says itself what the failure means.
 */
public final class Survival {
    /** Crashes after which an actor is not started again, within {@link #WINDOW}. */
    private static final int MAX_CRASHES = 3;

    private static final Duration WINDOW = Duration.ofHours(1);

    /** An actor that answers for its crashes. */
    public interface Survivor {
        /** Called when it runs again; whoever waits for the message that failed is to be answered. */
        void crashed();
    }

    private Survival() {}

    public static <C, A extends ExtensibleBehavior<C> & Survivor> Behavior<C> of(Function<ActorContext<C>, A> create) {
        List<A> made = new ArrayList<>(1);
        return Behaviors.supervise(Behaviors.<C>setup(context -> {
                    if (made.isEmpty()) {
                        made.add(create.apply(context));
                    } else {
                        made.getFirst().crashed();
                    }
                    return made.getFirst();
                }))
                .onFailure(
                        RuntimeException.class,
                        SupervisorStrategy.restart()
                                .withLimit(MAX_CRASHES, WINDOW)
                                .withStopChildren(false));
    }
}
