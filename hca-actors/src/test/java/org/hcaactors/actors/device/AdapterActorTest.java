// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.NetworkServices;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.LinkProperties;
import org.junit.jupiter.api.Test;

/** Services of an adapter for an object that is known by its blueprint alone. */
class AdapterActorTest {
    private static final FirstNumbers FIRST = new FirstNumbers(17, 0x200);

    /** A blueprint whose reply is the object's number, and whose actor receives texts when the adapter fails. */
    private record IdleBlueprint(ObjectKind kind) implements Blueprint<String, Integer> {
        @Override
        public Behavior<String> behavior(int number, Services services, Reply<Integer> reply) {
            reply.succeed(number);
            return Behaviors.ignore();
        }

        @Override
        public Optional<String> whenAdapterFails() {
            return Optional.of("failed");
        }
    }

    /** A blueprint whose object cannot be created. */
    private record FailingBlueprint(ObjectKind kind, RuntimeException reason) implements Blueprint<String, Integer> {
        @Override
        public Behavior<String> behavior(int number, Services services, Reply<Integer> reply) {
            throw reason;
        }
    }

    /** Stores the adapter's audit. */
    private static final class StoredAudit implements StageWaiting, ResourceAudit {
        private Audited audited = () -> new ResourceSnapshot.Fabric(Map.of());

        @Override
        public void until(CompletionStage<Void> stage) {}

        @Override
        public ResourceAudit audit() {
            return this;
        }

        @Override
        public void pending(VerbOwner by, Object verb, Future<?> stage) {}

        @Override
        public void opened(Audited theirs) {
            audited = theirs;
        }

        @Override
        public void closed(Audited theirs) {}
    }

    private final StoredAudit clerk = new StoredAudit();

    private final Services services = services();

    private final BehaviorTestKit<AdapterActor.Command> adapter =
            BehaviorTestKit.create(AdapterActor.create(services, FIRST, 1, LinkProperties.IDEAL, PageLatency.DEFAULT));

    private Services services() {
        LocalPort port = new LocalPort(
                PortAttributes.of(Profile.CONNECTX_5.port()).withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1))));
        Callers callers = new Callers(Runnable::run, clerk, DispatcherSelector.sameAsParent());
        NetworkServices network = new NetworkServices(
                new FabricReference(TestInbox.<FabricActor.Command>create().getRef(), new Epoch()),
                () -> 0,
                TraceSink.NONE,
                callers,
                new Shards(List.of(DispatcherSelector.sameAsParent())),
                ReceivesInterceptor.NONE,
                VerbGuard.NONE,
                1,
                false,
                name -> Optional.empty(),
                false);
        return Services.of(
                "a",
                Profile.CONNECTX_5,
                port,
                new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder()),
                network);
    }

    private <C, H> Reply<H> create(Blueprint<C, H> blueprint) {
        Reply<H> reply = new Reply<>(Runnable::run);
        adapter.run(new AdapterActor.Create<>(services, blueprint, reply));
        return reply;
    }

    private int number(ObjectKind kind) {
        return create(new IdleBlueprint(kind)).stage().toCompletableFuture().resultNow();
    }

    private int numbersInUse() {
        return ((ResourceSnapshot.Adapter) clerk.audited.snapshot()).numbersInUse();
    }

    private static void isRefused(Reply<?> reply, Errno errno, String reason) {
        assertThat(reply.stage().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(VerbsException.class, refused -> {
                    assertThat(refused.errno()).isEqualTo(errno);
                    assertThat(refused).hasMessageContaining(reason);
                });
    }

    private List<String> toldTo(String actor) {
        return adapter.<String>childInbox(actor).getAllReceived();
    }

    @Test
    void separatelyNumberedKindsStartAtOne() {
        assertThat(number(ObjectKind.COMPLETION_QUEUE)).isEqualTo(1);
        assertThat(number(ObjectKind.SHARED_RECEIVE_QUEUE)).isEqualTo(1);
        assertThat(number(ObjectKind.COMPLETION_QUEUE)).isEqualTo(2);
    }

    @Test
    void queuePairNumbersAreAssignedByTheAdapter() {
        assertThat(number(ObjectKind.QUEUE_PAIR)).isEqualTo(17);
        assertThat(number(ObjectKind.QUEUE_PAIR)).isEqualTo(18);
    }

    @Test
    void theNumberOfAFailedCreationIsFreed() {
        isRefused(
                create(new FailingBlueprint(ObjectKind.QUEUE_PAIR, VerbsException.invalid("no sand"))),
                Errno.EINVAL,
                "no sand");
        assertThat(numbersInUse()).isZero();
        number(ObjectKind.QUEUE_PAIR);
        isRefused(
                create(new FailingBlueprint(ObjectKind.QUEUE_PAIR, new IllegalStateException("the tide"))),
                Errno.EIO,
                "adapter a crashed and is in error");
        assertThat(numbersInUse()).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("NullAway") // causes the crash
    void aCrashNotifiesNumberedObjectsOnceAndEndsCreation() {
        number(ObjectKind.QUEUE_PAIR);
        Blueprint<String, Integer> nothing = null;
        isRefused(create(nothing), Errno.EIO, "adapter a crashed and is in error");
        isRefused(create(nothing), Errno.EIO, "adapter a crashed and is in error");
        assertThat(toldTo("qp-17")).containsExactly("failed");
        isRefused(create(new IdleBlueprint(ObjectKind.CHANNEL)), Errno.EIO, "adapter a crashed and is in error");
    }
}
