// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deferred actions that throw: the actor survives, as those of an adapter do. */
class DeferredActionsTest {
    private static final long NANOS = Duration.ofMillis(1).toNanos();

    /** Message to the actor: runs an action on its deferred actions, or reports that one is due. */
    private record Told(Consumer<DeferredActions> use) {}

    private static final Told DUE = new Told(DeferredActions::due);

    private final List<String> done = new ArrayList<>();
    private final List<Throwable> crashes = new ArrayList<>();
    private final ActorSystem<Told> system = ActorSystem.create(
            Behaviors.setup(DeferredActionsTest.this::with),
            "lag",
            ConfigFactory.parseString("pekko.stdout-loglevel = OFF, pekko.loglevel = OFF")
                    .withFallback(ConfigFactory.load()));

    private Behavior<Told> with(ActorContext<Told> context) {
        DeferredActions lag = new DeferredActions(new ActorTimer<>(context, DUE), System::nanoTime);
        return Behaviors.receiveMessage(told -> {
            try {
                told.use.accept(lag);
            } catch (RuntimeException | AssertionError crash) {
                crashes.add(crash);
            }
            return Behaviors.same();
        });
    }

    @AfterEach
    void close() {
        system.terminate();
    }

    private void fails() {
        throw new AssertionError("broken");
    }

    @Test
    void anActionThatThrowsDoesNotSkipTheOthers() {
        CompletableFuture<Void> last = new CompletableFuture<>();
        system.tell(new Told(lag -> {
            lag.after(NANOS, this::fails);
            lag.after(NANOS, () -> done.add("at the same time"));
            lag.after(2 * NANOS, this::fails);
            lag.after(3 * NANOS, () -> last.complete(null));
        }));
        last.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(done).containsExactly("at the same time");
        assertThat(crashes).hasSize(2).allSatisfy(each -> assertThat(each).hasMessage("broken"));
    }

    @Test
    void aFlushRunsAllActionsAndReportsTheFailedOnes() {
        CompletableFuture<Void> flushed = new CompletableFuture<>();
        system.tell(new Told(lag -> {
            lag.after(NANOS, this::fails);
            lag.after(2 * NANOS, () -> done.add("behind it"));
            lag.after(3 * NANOS, this::fails);
            assertThatThrownBy(lag::flush)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("2 deferred actions failed")
                    .hasRootCauseMessage("broken");
            flushed.complete(null);
        }));
        flushed.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(done).containsExactly("behind it");
    }
}
