package org.hcaactors.adapter.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.junit.jupiter.api.Test;

class OpenObjectsTest {
    private final OpenObjects open = new OpenObjects("context");

    /** Counts how often it was asked what it is. */
    private static final class Thing implements Handle {
        private final String name;
        private int described;

        Thing(String name) {
            this.name = name;
        }

        @Override
        public String describe() {
            described++;
            return name;
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void close() {}
    }

    @Test
    void whatLeavesIsNoLeakAndIsStillThere() {
        Thing thing = new Thing("a queue");
        open.add(thing, OpenObjects.Kind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN);
        open.leaves(thing);
        assertThat(open.all()).isEmpty();
        assertThat(open.of(OpenObjects.Kind.COMPLETION_QUEUE)).containsExactly(thing);
        open.stays(thing);
        assertThat(open.all()).containsExactly(thing);
    }

    @Test
    void whatWasClosedWhileItLeftDoesNotComeBack() {
        Thing thing = new Thing("a queue");
        open.add(thing, OpenObjects.Kind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN);
        open.leaves(thing);
        open.remove(thing);
        open.stays(thing);
        assertThat(open.contains(thing)).isFalse();
    }
}
