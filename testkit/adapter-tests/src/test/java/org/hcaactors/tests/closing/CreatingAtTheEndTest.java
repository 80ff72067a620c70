// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An object created during or after the end of what it needs is refused with EINVAL, or it prevents that end. */
class CreatingAtTheEndTest {
    private static Optional<Errno> outcome(World world, CompletionStage<?> verb) {
        try {
            world.await(verb);
            return Optional.empty();
        } catch (VerbsException refused) {
            return Optional.of(refused.errno());
        }
    }

    private static void refused(World world, Supplier<? extends CompletionStage<?>> verb) {
        assertThatThrownBy(() -> world.await(verb.get()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    private record Setup(World world, DeviceContext context, ProtectionDomain domain, HostMemory memory) {
        static Setup of(long seed) {
            World world = World.of(seed);
            DeviceContext context = world.adapter("a").process("app").open();
            return new Setup(
                    world, context, context.allocatePd(), context.process().allocate(64));
        }

        /** Checks that either the destroy finds a user, or the creation a closed object; true if it was created. */
        boolean oneOfThemIsRefused(
                CompletionStage<? extends Handle> creation, Supplier<CompletionStage<Void>> destroy) {
            CompletionStage<Void> end = world.seed() % 2 == 0
                    ? destroy.get()
                    : context.createChannel().thenCompose(waited -> destroy.get());
            Optional<Errno> created = outcome(world, creation);
            Optional<Errno> destroyed = outcome(world, end);
            if (created.isPresent()) {
                assertThat(created).contains(Errno.EINVAL);
                assertThat(destroyed).isEmpty();
                return false;
            }
            assertThat(destroyed).contains(Errno.EBUSY);
            world.await(creation.toCompletableFuture().resultNow().closeAsync());
            world.await(destroy.get());
            return true;
        }
    }

    /** Runs the two concurrently in many schedules; each must win in some. */
    private static void beside(Predicate<Setup> createdBesideDestroy) {
        Set<Boolean> created = new HashSet<>();
        for (int seed = 0; seed < 40; seed++) {
            Setup setup = Setup.of(seed);
            try (World world = setup.world) {
                created.add(createdBesideDestroy.test(setup));
            }
        }
        assertThat(created).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void aCqIsNotDestroyedDuringTheCreationOfItsQueuePair() {
        beside(setup -> {
            CompletionQueue cq = setup.world.await(setup.context.createCq(10));
            return setup.oneOfThemIsRefused(
                    setup.domain.createQp(QpDescription.rc().withSendCq(cq)), cq::destroy);
        });
        beside(setup -> {
            CompletionQueue cq = setup.world.await(setup.context.createCq(10));
            CompletionQueue other = setup.world.await(setup.context.createCq(10));
            boolean created = setup.oneOfThemIsRefused(
                    setup.domain.createQp(QpDescription.rc().withSendCq(other).withRecvCq(cq)), cq::destroy);
            setup.world.await(other.destroy());
            return created;
        });
    }

    @Test
    void anSrqIsNotDestroyedDuringTheCreationOfItsQueuePair() {
        beside(setup -> {
            SharedReceiveQueue srq = setup.world.await(setup.domain.createSrq(SrqDescription.DEFAULT));
            return setup.oneOfThemIsRefused(
                    setup.domain.createQp(QpDescription.rc().withSrq(srq)), srq::destroy);
        });
    }

    @Test
    void aChannelIsNotDestroyedDuringTheCreationOfItsCq() {
        beside(setup -> {
            CompletionChannel channel = setup.world.await(setup.context.createChannel());
            return setup.oneOfThemIsRefused(
                    setup.context.createCq(CqDescription.of(10).withChannel(channel)), channel::destroy);
        });
    }

    @Test
    void aProtectionDomainIsBusyWhileAnObjectIsCreated() {
        Setup setup = Setup.of(3);
        try (World world = setup.world) {
            CompletionStage<?> region =
                    setup.domain.register(setup.context.process().allocate(64));
            assertThat(outcome(world, setup.domain.closeAsync())).contains(Errno.EBUSY);
            world.await(region);
        }
    }

    @Test
    void aRefusedQueuePairsCompletionQueueIsDestroyed() {
        Setup setup = Setup.of(4);
        try (World world = setup.world) {
            SharedReceiveQueue srq = world.await(setup.domain.createSrq(SrqDescription.DEFAULT));
            CompletionStage<Void> destroyed = srq.destroy();
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withSrq(srq)));
            world.await(destroyed);
            world.settle();
            assertThat(setup.context.openObjects().leaks()).hasSize(1);
        }
    }

    /** Checks that nothing remains to be destroyed when the context's stage is complete. */
    private static void isGone(CompletionQueue cq) {
        CompletableFuture<Void> again = cq.destroy().toCompletableFuture();
        assertThat(again.isDone() && !again.isCompletedExceptionally()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void aContextWaitsForAnImplicitCompletionQueue(int seed) {
        Setup setup = Setup.of(seed);
        try (World world = setup.world) {
            RcQueuePair host = world.await(setup.domain.createQp(QpDescription.rc()));
            CompletionStage<Void> end = host.destroy().thenCompose(gone -> setup.context.closeAsync());
            world.await(end);
            isGone(host.sendCq());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void aCqOfTwoQueuePairsEndsWithItsContext(int seed) {
        Setup setup = Setup.of(seed);
        try (World world = setup.world) {
            RcQueuePair host = world.await(setup.domain.createQp(QpDescription.rc()));
            world.await(setup.domain.createQp(QpDescription.rc().withSendCq(host.sendCq())));
            world.await(setup.context.closeAsync());
            isGone(host.sendCq());
            world.settle();
            assertThat(setup.context.openObjects().isEmpty()).isTrue();
        }
    }

    private static List<CompletionStage<? extends Handle>> everyKind(
            DeviceContext context, ProtectionDomain domain, HostMemory memory) {
        List<CompletionStage<? extends Handle>> creations = new ArrayList<>();
        creations.add(context.createCq(10));
        creations.add(context.createChannel());
        creations.add(domain.createQp(QpDescription.rc()));
        creations.add(domain.createSrq(SrqDescription.DEFAULT));
        creations.add(domain.register(memory));
        creations.add(
                domain.createAddressHandle(AddressVector.to(context.adapter().gid())));
        return creations;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void objectsCreatedDuringTheCloseOfTheirContextEndWithIt(int seed) {
        Setup setup = Setup.of(seed);
        try (World world = setup.world) {
            List<CompletionStage<? extends Handle>> before = everyKind(setup.context, setup.domain, setup.memory);
            CompletionStage<?> end = seed % 2 == 0
                    ? setup.context.closeAsync()
                    : setup.context.process().exit();
            List<CompletionStage<? extends Handle>> after = everyKind(setup.context, setup.domain, setup.memory);
            world.await(end);
            assertThat(setup.context.openObjects().isEmpty()).isTrue();
            for (CompletionStage<? extends Handle> creation : before) {
                if (outcome(world, creation).isEmpty()
                        && creation.toCompletableFuture().resultNow() instanceof CompletionQueue cq) {
                    world.await(cq.destroy());
                    refused(world, () -> cq.poll(1));
                }
            }
            after.forEach(creation -> assertThat(outcome(world, creation)).contains(Errno.EINVAL));
        }
    }

    @Test
    void nothingIsCreatedInAClosedProtectionDomain() {
        Setup setup = Setup.of(1);
        try (World world = setup.world) {
            setup.domain.close();
            setup.domain.close();
            everyKind(setup.context, setup.domain, setup.memory).stream()
                    .skip(2)
                    .forEach(creation -> assertThat(outcome(world, creation)).contains(Errno.EINVAL));
            refused(world, () -> setup.domain.createQp(QpDescription.uc()));
            refused(world, () -> setup.domain.createQp(QpDescription.ud()));
        }
    }

    @Test
    void nothingIsCreatedInAClosedContextNorOpenedOnAClosedNetwork() {
        Setup setup = Setup.of(1);
        World world = setup.world;
        setup.context.close();
        assertThatThrownBy(setup.context::allocatePd).isInstanceOf(VerbsException.class);
        everyKind(setup.context, setup.domain, setup.memory)
                .forEach(creation -> assertThat(outcome(world, creation)).contains(Errno.EINVAL));
        world.close();
        assertThatThrownBy(() -> setup.context.process().open()).isInstanceOf(VerbsException.class);
    }

    /** Memory that belongs to no process and describes nothing. */
    private static final class ForeignMemory implements HostMemory {
        @Override
        public long address() {
            return 0;
        }

        @Override
        public long lengthBytes() {
            return 8;
        }

        @Override
        public long busAddress() {
            return 4096;
        }

        @Override
        public boolean isMapped() {
            return true;
        }

        @Override
        public byte[] read(long offset, int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(long offset, byte[] bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long readLong(long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeLong(long offset, long value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String describe() {
            throw new UnsupportedOperationException("describe");
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }

    /** NullAway checks the tests, too. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return (T) null;
    }

    @Test
    void aCreationThatThrowsDoesNotKeepItsContextOpen() {
        Setup setup = Setup.of(1);
        try (World world = setup.world) {
            List<ThrowingCallable> creations = List.of(
                    () -> setup.context.createCq(CreatingAtTheEndTest.<CqDescription>nothing()),
                    () -> setup.domain.register(setup.memory, 0, 8, nothing()),
                    () -> setup.domain.register(new ForeignMemory()),
                    () -> setup.domain.createSrq(nothing()),
                    () -> setup.domain.createAddressHandle(nothing()));
            creations.forEach(creation -> assertThatThrownBy(creation).isNotInstanceOf(VerbsException.class));
            world.await(setup.domain.closeAsync());
            world.await(setup.context.closeAsync());
        }
    }

    @Test
    void objectsOfAnotherContextAreRefused() {
        Setup setup = Setup.of(1);
        try (World world = setup.world) {
            DeviceContext other = world.adapter("a").process("app").open();
            CompletionQueue cq = world.await(other.createCq(10));
            CompletionChannel channel = world.await(other.createChannel());
            SharedReceiveQueue srq = world.await(other.allocatePd().createSrq(SrqDescription.DEFAULT));
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withSendCq(cq)));
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withRecvCq(cq)));
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withSrq(srq)));
            refused(world, () -> setup.context.createCq(CqDescription.of(10).withChannel(channel)));
            assertThat(setup.context.openObjects().leaks()).hasSize(1);
        }
    }

    @Test
    void closedObjectsAreRefused() {
        Setup setup = Setup.of(1);
        try (World world = setup.world) {
            CompletionQueue cq = world.await(setup.context.createCq(10));
            CompletionChannel channel = world.await(setup.context.createChannel());
            SharedReceiveQueue srq = world.await(setup.domain.createSrq(SrqDescription.DEFAULT));
            cq.close();
            channel.close();
            srq.close();
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withSendCq(cq)));
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withRecvCq(cq)));
            refused(world, () -> setup.domain.createQp(QpDescription.rc().withSrq(srq)));
            refused(world, () -> setup.context.createCq(CqDescription.of(10).withChannel(channel)));
        }
    }

    @Test
    void anSrqOfAnotherDomainOfTheContextIsAccepted() {
        Setup setup = Setup.of(1);
        try (World world = setup.world) {
            ProtectionDomain other = setup.context.allocatePd();
            SharedReceiveQueue srq = world.await(other.createSrq(SrqDescription.DEFAULT));
            QpPair<RcQueuePair> pair = world.await(
                    QpPair.connectRc(setup.domain, QpDescription.rc().withSrq(srq), setup.domain, QpDescription.rc()));
            WorkCompletion done = world.await(pair.local().submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))));
            assertThat(done.isSuccess()).isTrue();
        }
    }
}
