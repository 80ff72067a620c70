// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Supervision (rule event-crash): an object that throws continues, and every caller is answered. */
class CrashSupervisorTest {
    private sealed interface Command {}

    private record Work(String name) implements Command {}

    private record Ask(String name, Reply<String> reply) implements Command, ExpectsReply {}

    private enum End implements Command {
        NOW
    }

    /** Throws as its test specifies for commands named {@code bomb}, and records the others. */
    private static final class Fragile implements CrashAware<Command> {
        private final List<String> done = new ArrayList<>();
        private final List<Object> crashes = new ArrayList<>();
        private Throwable bomb = new IllegalStateException("a bomb");
        private boolean crashesOverCrashes;

        @Override
        public Behavior<Command> on(Command command) {
            switch (command) {
                case Work work -> handle(work.name);
                case Ask ask -> {
                    handle(ask.name);
                    ask.reply.succeed("done");
                    handle(ask.name + " answered");
                }
                case End end -> {
                    return Behaviors.stopped();
                }
            }
            return Behaviors.same();
        }

        @Override
        public Behavior<Command> onSignal(Signal signal) {
            handle(signal instanceof PostStop ? "bomb" : "signal");
            return Behaviors.same();
        }

        private void handle(String name) {
            if (name.equals("bomb")) {
                switch (bomb) {
                    case RuntimeException thrown -> throw thrown;
                    case Error thrown -> throw thrown;
                    default -> throw new IllegalArgumentException(bomb);
                }
            }
            done.add(name);
        }

        @Override
        public VerbsException crashed(Object message, Throwable crash) {
            crashes.add(message);
            if (crashesOverCrashes) {
                throw new IllegalStateException("again");
            }
            return new VerbsException(Errno.EIO, "it crashed and is in error", crash);
        }
    }

    private final Fragile fragile = new Fragile();
    private final BehaviorTestKit<Command> actor = BehaviorTestKit.create(CrashSupervisor.of(context -> fragile));

    private static Reply<String> reply() {
        return new Reply<>(Runnable::run);
    }

    private static void failsWith(Reply<?> reply, Errno errno, String message) {
        assertThat(reply.stage().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(VerbsException.class, reason -> {
                    assertThat(reason.errno()).isEqualTo(errno);
                    assertThat(reason).hasMessageContaining(message);
                });
    }

    @Test
    void anActorHandlesItsCrashAndContinues() {
        actor.run(new Work("bomb"));
        actor.run(new Work("bomb"));
        actor.run(new Work("next"));
        assertThat(actor.isAlive()).isTrue();
        assertThat(fragile.crashes).containsExactly(new Work("bomb"), new Work("bomb"));
        assertThat(fragile.done).containsExactly("next");
    }

    @Test
    void aCrashFailsTheReplyWithTheObjectsReason() {
        Reply<String> reply = reply();
        actor.run(new Ask("bomb", reply));
        failsWith(reply, Errno.EIO, "it crashed and is in error");
    }

    @Test
    void theCrashIsTheCauseOfTheAnswer() {
        Reply<String> reply = reply();
        actor.run(new Ask("bomb", reply));
        assertThat(reply.stage().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .havingCause()
                .isSameAs(fragile.bomb);
    }

    @Test
    void aReplySentBeforeTheCrashIsUnchanged() {
        fragile.bomb = new AssertionError("behind the answer");
        Reply<String> reply = reply();
        Reply<String> taken = new Reply<>(Runnable::run);
        taken.succeed("before");
        actor.run(new Ask("fine", reply));
        actor.run(new Ask("bomb", taken));
        assertThat(reply.stage().toCompletableFuture()).isCompletedWithValue("done");
        assertThat(taken.stage().toCompletableFuture()).isCompletedWithValue("before");
    }

    @Test
    void aCrashInTheCrashHandlerFailsTheReplyToo() {
        fragile.crashesOverCrashes = true;
        Reply<String> reply = reply();
        actor.run(new Ask("bomb", reply));
        failsWith(reply, Errno.EIO, "the actor that should have answered crashed");
        actor.run(new Work("next"));
        assertThat(fragile.done).containsExactly("next");
    }

    @Test
    void anAssertionThatFailsIsACrashLikeAnother() {
        fragile.bomb = new AssertionError("an invariant of the machine");
        actor.run(new Work("bomb"));
        assertThat(actor.isAlive()).isTrue();
        assertThat(fragile.crashes).hasSize(1);
    }

    @Test
    void anErrorOfTheJvmIsNotSurvived() {
        fragile.bomb = new StackOverflowError();
        assertThatThrownBy(() -> actor.run(new Work("bomb"))).isSameAs(fragile.bomb);
        assertThat(fragile.crashes).isEmpty();
    }

    @Test
    void aSignalThatThrowsIsACrashToo() {
        actor.signal(PostStop.instance());
        assertThat(fragile.crashes).containsExactly(PostStop.instance());
    }

    @Test
    void anActorEndsWhenItReturnsStopped() {
        actor.run(End.NOW);
        assertThat(actor.isAlive()).isFalse();
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // as a selection of actors by path can do
    void anUnknownMessageIsACrash() {
        ((BehaviorTestKit) actor).run("a sabotage");
        assertThat(actor.isAlive()).isTrue();
        assertThat(fragile.crashes).containsExactly("a sabotage");
    }

    @Test
    void aRefusedCreationStopsTheActorAndFailsTheReplyWithTheReason() {
        Reply<String> reply = reply();
        BehaviorTestKit<Command> unborn = BehaviorTestKit.create(CrashSupervisor.create(reply, context -> {
            throw VerbsException.invalid("completion queue 7 is closed");
        }));
        assertThat(unborn.isAlive()).isFalse();
        failsWith(reply, Errno.EINVAL, "completion queue 7 is closed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashDuringCreationStopsTheActorAndFailsTheReply(boolean assertion) {
        Reply<String> reply = reply();
        BehaviorTestKit<Command> unborn = BehaviorTestKit.create(CrashSupervisor.create(reply, context -> {
            if (assertion) {
                throw new AssertionError("a bomb");
            }
            throw new IllegalStateException("a bomb");
        }));
        assertThat(unborn.isAlive()).isFalse();
        failsWith(reply, Errno.EIO, "the adapter crashed while it created this object");
    }

    @Test
    void onlyAFailedCreationReleasesItsResources() {
        List<String> givenBack = new ArrayList<>();
        BehaviorTestKit.create(
                CrashSupervisor.<Command>create(reply(), () -> givenBack.add("of the stillborn"), context -> {
                    throw VerbsException.invalid("completion queue 7 is closed");
                }));
        BehaviorTestKit.create(
                CrashSupervisor.<Command>create(reply(), () -> givenBack.add("of the born"), context -> new Fragile()));
        assertThat(givenBack).containsExactly("of the stillborn");
    }

    @Test
    void anExceptionInOneClosingStepDoesNotSkipTheOthers() {
        List<String> taken = new ArrayList<>();
        CrashSupervisor.attempt(() -> {
            throw new IllegalStateException("the first");
        });
        CrashSupervisor.attempt(() -> taken.add("the second"));
        assertThat(taken).containsExactly("the second");
    }
}
