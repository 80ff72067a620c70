// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.Objects;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervision of an object that survives its crashes: hardware state does not vanish because handling one message failed. The
 * actor is never stopped, however often it throws, since other senders wait for their replies.
 *
 * @param <C> commands of the actor
 */
public final class CrashSupervisor<C> extends ExtensibleBehavior<C> {
    private static final Logger LOG = LoggerFactory.getLogger(CrashSupervisor.class);

    private final CrashAware<C> crashAware;

    private CrashSupervisor(CrashAware<C> crashAware) {
        this.crashAware = crashAware;
    }

    public static <C> Behavior<C> of(Function<ActorContext<C>, CrashAware<C>> create) {
        return Behaviors.setup(context -> new CrashSupervisor<>(create.apply(context)));
    }

    /** @param reply fails if the object is refused or cannot be created */
    public static <C> Behavior<C> create(Reply<?> reply, Function<ActorContext<C>, CrashAware<C>> create) {
        return create(reply, () -> {}, create);
    }

    /** @param onCreateFailed called before the reply fails */
    public static <C> Behavior<C> create(
            Reply<?> reply, Runnable onCreateFailed, Function<ActorContext<C>, CrashAware<C>> create) {
        return Behaviors.setup(new Initial<C>(context -> create(context, reply, onCreateFailed, create))::of);
    }

    private static <C> Behavior<C> create(
            ActorContext<C> context,
            Reply<?> reply,
            Runnable onCreateFailed,
            Function<ActorContext<C>, CrashAware<C>> create) {
        try {
            return new CrashSupervisor<>(create.apply(context));
        } catch (VerbsException refused) {
            onCreateFailed.run();
            reply.fail(refused);
            return Behaviors.stopped();
        } catch (RuntimeException | AssertionError crash) {
            LOG.error("{} could not be created", context.getSelf(), crash);
            onCreateFailed.run();
            reply.fail(new VerbsException(Errno.EIO, "the adapter crashed while it created this object", crash));
            return Behaviors.stopped();
        }
    }

    /** Initial behavior that releases its factory after creation: an actor keeps its initial behavior as long as it lives. */
    private static final class Initial<C> {
        private @Nullable Function<ActorContext<C>, Behavior<C>> once;

        Initial(Function<ActorContext<C>, Behavior<C>> once) {
            this.once = once;
        }

        Behavior<C> of(ActorContext<C> context) {
            Function<ActorContext<C>, Behavior<C>> birth =
                    Objects.requireNonNull(once, "the actor's behavior is created only once");
            once = null;
            return birth.apply(context);
        }
    }

    @Override
    public Behavior<C> receive(TypedActorContext<C> context, C command) {
        try {
            return crashAware.on(command);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, command, crash);
            return Behaviors.same();
        }
    }

    @Override
    public Behavior<C> receiveSignal(TypedActorContext<C> context, Signal signal) {
        try {
            return crashAware.onSignal(signal);
        } catch (RuntimeException | AssertionError crash) {
            survive(context, signal, crash);
            return Behaviors.same();
        }
    }

    /** Runs a step of closing; if it throws, the following steps still run. */
    public static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | AssertionError crash) {
            LOG.error("an object crashed while it was closed", crash);
        }
    }

    @MutationPoint("crash-supervisor.survive")
    private void survive(TypedActorContext<C> context, Object message, Throwable crash) {
        LOG.error("{} crashed and is resumed", context.asJava().getSelf(), crash);
        VerbsException answer = new VerbsException(Errno.EIO, "the actor that should have answered crashed", crash);
        try {
            answer = crashAware.crashed(message, crash);
        } catch (RuntimeException | AssertionError again) {
            LOG.error(
                    "{} crashed again while it handled a crash",
                    context.asJava().getSelf(),
                    again);
        }
        if (message instanceof ExpectsReply verb) {
            verb.reply().fail(answer);
        }
    }
}
