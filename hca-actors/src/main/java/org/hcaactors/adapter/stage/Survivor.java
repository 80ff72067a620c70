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
 * An actor whose object outlives its crashes: what the hardware holds does not vanish because handling one message failed.
 * However often it throws, it is not stopped, since others wait behind that message for their answers. What a crash means is
 * the object's to say.
 *
 * @param <C> what the actor understands
 */
public abstract class Survivor<C> extends ExtensibleBehavior<C> {
    private static final Logger LOG = LoggerFactory.getLogger(Survivor.class);

    /** @param reply told where the object is refused or can't be made */
    protected static <C> Behavior<C> born(Reply<?> reply, Function<ActorContext<C>, Behavior<C>> create) {
        return Behaviors.setup(context -> {
            try {
                return create.apply(context);
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

    protected abstract Behavior<C> on(C command);

    protected Behavior<C> onSignal(Signal signal) {
        return Behaviors.unhandled();
    }

    /**
     * Handling that threw. Where its sender waits for an answer, it gets what is returned here, unless it has been answered.
     *
     * @param message a command, or what is none and was told nevertheless
     */
    protected abstract VerbsException crashed(Object message);

    @Override
    public final Behavior<C> receive(TypedActorContext<C> context, C command) {
        try {
            return on(command);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, command, crash);
            return Behaviors.same();
        }
    }

    @Override
    public final Behavior<C> receiveSignal(TypedActorContext<C> context, Signal signal) {
        try {
            return onSignal(signal);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, signal, crash);
            return Behaviors.same();
        }
    }

    /** A step of its end: where it throws, the next one is taken all the same. */
    protected static void attempt(Runnable step) {
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
            answer = crashed(message);
        } catch (RuntimeException | AssertionError again) {
            LOG.error("{} crashed again over its crash", context.asJava().getSelf(), again);
        }
        if (message instanceof Answerable verb) {
            verb.reply().fail(answer);
        }
    }
}
