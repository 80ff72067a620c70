// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The supervision of an object that outlives its crashes: what the hardware holds does not vanish because handling one message
 * failed. However often it throws, it is not stopped, since others wait behind that message for their answers.
 *
 * @param <C> what the actor understands
 */
public final class Survivor<C> extends ExtensibleBehavior<C> {
    private static final Logger LOG = LoggerFactory.getLogger(Survivor.class);

    private final Mortal<C> mortal;

    private Survivor(Mortal<C> mortal) {
        this.mortal = mortal;
    }

    public static <C> Behavior<C> of(Function<ActorContext<C>, Mortal<C>> create) {
        return Behaviors.setup(context -> new Survivor<>(create.apply(context)));
    }

    /** @param reply told where the object is refused or can't be made */
    public static <C> Behavior<C> born(Reply<?> reply, Function<ActorContext<C>, Mortal<C>> create) {
        return Behaviors.setup(context -> {
            try {
                return new Survivor<>(create.apply(context));
            } catch (VerbsException refused) {
                reply.fail(refused);
                return Behaviors.stopped();
            } catch (RuntimeException | AssertionError crash) {
                LOG.error("{} could not be made", context.getSelf(), crash);
                reply.fail(new VerbsException(Errno.EIO, "the adapter crashed while it made this", crash));
                return Behaviors.stopped();
            }
        });
    }

    @Override
    public Behavior<C> receive(TypedActorContext<C> context, C command) {
        try {
            return mortal.on(command);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, command, crash);
            return Behaviors.same();
        }
    }

    @Override
    public Behavior<C> receiveSignal(TypedActorContext<C> context, Signal signal) {
        try {
            return mortal.onSignal(signal);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, signal, crash);
            return Behaviors.same();
        }
    }

    /** A step of its end: where it throws, the next one is taken all the same. */
    public static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | AssertionError crash) {
            LOG.error("something crashed while it was closed", crash);
        }
    }

    private void survive(TypedActorContext<C> context, Object message, Throwable crash) {
        LOG.error("{} crashed and goes on", context.asJava().getSelf(), crash);
        VerbsException answer = new VerbsException(Errno.EIO, "what should have answered crashed", crash);
        try {
            answer = mortal.crashed(message, crash);
        } catch (RuntimeException | AssertionError again) {
            LOG.error("{} crashed again over its crash", context.asJava().getSelf(), again);
        }
        if (message instanceof Answerable verb) {
            verb.reply().fail(answer);
        }
    }
}
