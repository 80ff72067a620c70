package org.hcaactors.adapter.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.VerbsException;
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

    @Test
    void aProtectionDomainThatIsBusyNamesTheFirstEightOfItsUsersAndAsksNobodyElse() {
        Thing domain = new Thing("domain 1");
        open.addDomain(domain, 1);
        List<Thing> users = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Thing user = new Thing("user " + i);
            users.add(user);
            open.add(user, OpenObjects.Kind.REGION, 1);
        }
        assertThatThrownBy(() -> open.removeDomain(domain, 1))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("domain 1 is used by user 0, ")
                .hasMessageContaining("user 7 and 992 more");
        assertThat(users.stream().mapToInt(user -> user.described).sum()).isEqualTo(8);
        users.forEach(open::remove);
        open.removeDomain(domain, 1);
        assertThat(open.all()).isEmpty();
    }
}
