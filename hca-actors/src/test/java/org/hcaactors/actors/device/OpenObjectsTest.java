// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.junit.jupiter.api.Test;

class OpenObjectsTest {
    private final OpenObjects open = new OpenObjects("context");

    /** Counts the calls of its description. */
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
    void aClosingObjectIsNoLeakButIsStillListed() {
        Thing thing = new Thing("a queue");
        open.add(thing, ObjectKind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN);
        open.closeBegun(thing);
        assertThat(open.all()).isEmpty();
        assertThat(open.of(ObjectKind.COMPLETION_QUEUE)).containsExactly(thing);
        open.closeRefused(thing);
        assertThat(open.all()).containsExactly(thing);
    }

    @Test
    void anObjectRemovedWhileClosingIsNotRestored() {
        Thing thing = new Thing("a queue");
        open.add(thing, ObjectKind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN);
        open.closeBegun(thing);
        open.remove(thing);
        open.closeRefused(thing);
        assertThat(open.contains(thing)).isFalse();
    }

    @Test
    void openObjectsAreCountedAndListedByKindInCreationOrder() {
        Thing first = new Thing("first");
        Thing second = new Thing("second");
        Thing other = new Thing("other");
        open.add(first, ObjectKind.QUEUE_PAIR, OpenObjects.NO_DOMAIN);
        open.add(other, ObjectKind.CHANNEL, OpenObjects.NO_DOMAIN);
        open.add(second, ObjectKind.QUEUE_PAIR, OpenObjects.NO_DOMAIN);
        assertThat(open.counts().get(ObjectKind.QUEUE_PAIR)).isEqualTo(2);
        assertThat(open.of(ObjectKind.QUEUE_PAIR)).containsExactly(first, second);
        assertThat(open.all()).containsExactly(first, other, second);
        assertThat(open.contains(first)).isTrue();
        open.remove(first);
        open.remove(first);
        assertThat(open.all()).containsExactly(other, second);
    }

    private static void isClosed(String what, ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(what + " is closed");
    }

    @Test
    void aClosedContextRefusesCreations() {
        open.checkOpen();
        assertThat(open.isClosing()).isFalse();
        assertThat(open.close()).as("first").isTrue();
        assertThat(open.close()).isFalse();
        assertThat(open.isClosing()).isTrue();
        isClosed("context", open::checkOpen);
        isClosed("context", () -> open.begin(OpenObjects.NO_DOMAIN));
        isClosed("context", () -> open.addDomain(new Thing("domain 1"), 1));
        assertThat(open.all()).isEmpty();
    }

    @Test
    void aDomainThatIsNotOpenRefusesCreations() {
        Thing domain = new Thing("domain 1");
        isClosed("protection domain 1", () -> open.begin(1));
        open.addDomain(domain, 1);
        assertThat(open.all()).containsExactly(domain);
        open.begin(1);
        open.end(1);
        open.removeDomain(domain, 1);
        isClosed("protection domain 1", () -> open.begin(1));
    }

    @Test
    void aDomainStaysWhileSomethingIsBeingCreatedInIt() {
        Thing domain = new Thing("domain 1");
        open.addDomain(domain, 1);
        open.begin(1);
        assertThatThrownBy(() -> open.removeDomain(domain, 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("domain 1 is used by an object that is being created");
        assertThat(open.contains(domain)).isTrue();
        open.end(1);
        open.removeDomain(domain, 1);
        assertThat(open.contains(domain)).isFalse();
    }

    @Test
    void aCloseWaitsForCreationsInProgress() {
        open.begin(OpenObjects.NO_DOMAIN);
        open.begin(OpenObjects.NO_DOMAIN);
        open.end(OpenObjects.NO_DOMAIN);
        assertThat(open.noneInProgress()).isNotDone();
        open.close();
        assertThat(open.noneInProgress()).isNotDone();
        open.end(OpenObjects.NO_DOMAIN);
        assertThat(open.noneInProgress()).isDone();
    }

    @Test
    void anOpenContextIsNotDrainedThoughNoCreationIsInProgress() {
        open.begin(OpenObjects.NO_DOMAIN);
        open.end(OpenObjects.NO_DOMAIN);
        assertThat(open.noneInProgress()).isNotDone();
        open.close();
        assertThat(open.noneInProgress()).isDone();
    }

    @Test
    void aBusyProtectionDomainNamesItsFirstEightUsers() {
        Thing domain = new Thing("domain 1");
        open.addDomain(domain, 1);
        List<Thing> users = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Thing user = new Thing("user " + i);
            users.add(user);
            open.add(user, ObjectKind.REGION, 1);
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
