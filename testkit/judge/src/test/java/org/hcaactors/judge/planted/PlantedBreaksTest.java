// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Checks each invariant at rest against a patch of the adapter that violates it in a world. */
class PlantedBreaksTest {
    private static final Patch OVERWRITES_THE_WAIT = new Patch("rc-recovery.says-nothing-new", OverwritesTheWait.class);
    private static final Patch COUNTS_DOUBLE = new Patch("paging-stats.add", CountsDouble.class);
    private static final Patch TELLS_NO_FAILURE = new Patch("reply.fail", CommonAdvice.DoesNothing.class);
    private static final Patch STAYS_ON_THE_FABRIC =
            new Patch("queue-pair-core.detach", CommonAdvice.DoesNothing.class);
    private static final Patch FREES_NO_NUMBER = new Patch("number-space.free", CommonAdvice.DoesNothing.class);
    private static final Patch KEEPS_A_LEASE = new Patch("turn-effects.release-lease", CommonAdvice.DoesNothing.class);
    private static final Patch KEEPS_ALL_LEASES = new Patch("lease-cache.release-all", CommonAdvice.FindsNone.class);
    private static final Patch KEEPS_MEMORY_MAPPED = new Patch("process-handle.unmap", CommonAdvice.DoesNothing.class);
    private static final Patch STAYS_ALIVE = new Patch("event-queue-actor.destroy", StaysAlive.class);

    static final List<Patch> PATCHES = List.of(
            OVERWRITES_THE_WAIT,
            COUNTS_DOUBLE,
            TELLS_NO_FAILURE,
            STAYS_ON_THE_FABRIC,
            FREES_NO_NUMBER,
            KEEPS_A_LEASE,
            KEEPS_ALL_LEASES,
            KEEPS_MEMORY_MAPPED,
            STAYS_ALIVE);

    private static final Duration LONG = Duration.ofSeconds(60);

    /** A program in a fresh world, run to its end, with the patch and without. */
    private interface Program {
        void run(World world);
    }

    private static void isFound(String invariant, Patch patch, Program program) throws Exception {
        assertThat(broken(program)).as("without the patch").isEmpty();
        AutoCloseable patched = patch.apply();
        try (patched) {
            assertThat(broken(program)).as("with the patch").contains(invariant);
        }
    }

    private static List<String> broken(Program program) {
        World world = World.inOrder();
        List<String> found = new ArrayList<>();
        Throwable thrown = catchThrowable(() -> {
            program.run(world);
            world.heal(LONG);
        });
        Throwable atEnd = catchThrowable(world::close);
        for (Throwable each : new Throwable[] {thrown, atEnd}) {
            if (each instanceof InvariantBrokenException broken) {
                found.add(broken.violation().invariant());
            } else if (each != null) {
                throw new AssertionError("something else", each);
            }
        }
        return found;
    }

    private static ConnectedPair pair(World world, int timeout) {
        Adapter a = world.network().addAdapter("a", Profile.SOFT_ROCE, World.DEFAULT_LINK);
        Adapter b = world.network().addAdapter("b", Profile.SOFT_ROCE, World.DEFAULT_LINK);
        RcConnection attributes = RcConnection.DEFAULT
                .withTimeoutCode(timeout)
                .withRetryCount(7)
                .withRnrRetry(7)
                .withMinRnrTimerCode(12);
        return world.connect(a, b, new Shape(attributes, QpCapacity.DEFAULT, 100, 4096));
    }

    /** Soft-RoCE also reports the gap after a packet that found no receive: an RNR NAK, then a NAK. */
    private static void twoRefusedSends(World world) {
        ConnectedPair pair = pair(world, 0);
        pair.a().qp().post(Send.of(1, pair.a().slice(0, 64)));
        pair.a().qp().post(Send.of(2, pair.a().slice(0, 64)));
        world.runFor(Duration.ofNanos(20_000));
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        pair.b().qp().postReceive(Receive.of(2, pair.b().slice(0, 64)));
    }

    /** A NAK during an RNR wait replaces its deadline, and without a timeout there is none. */
    static final class OverwritesTheWait {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean answer) {
            answer = false;
        }
    }

    @Test
    void anOverwrittenRnrDeadline() throws Exception {
        isFound("no-stalled-queue-pair", OVERWRITES_THE_WAIT, PlantedBreaksTest::twoRefusedSends);
    }

    /** Doubles every count. */
    static final class CountsDouble {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) long by) {
            by *= 2;
        }
    }

    private static void evictedPages(World world) {
        Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_5, World.DEFAULT_LINK);
        DeviceContext context = adapter.process("app").open();
        HostMemory memory = context.process().allocate(1 << 14);
        MemoryRegion region = world.await(
                context.allocatePd().register(Registration.of(memory).withOnDemandPaging()));
        world.await(region.prefetch(0, 1 << 14, false));
        memory.evict(0, 1 << 12);
        world.runFor(Duration.ofMillis(1));
    }

    @Test
    void pagesThatAreCountedTwice() throws Exception {
        isFound("page-counters", COUNTS_DOUBLE, PlantedBreaksTest::evictedPages);
    }

    /** The peer has no receive, so that a request waits when its queue pair is destroyed. */
    private static void destroyedWithARequest(World world) {
        ConnectedPair pair = pair(world, 14);
        pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64)));
        world.runFor(Duration.ofNanos(20_000));
        world.await(pair.a().qp().destroy());
    }

    @Test
    void aRequestDroppedWithoutAFailure() throws Exception {
        isFound("all-stages-complete", TELLS_NO_FAILURE, PlantedBreaksTest::destroyedWithARequest);
    }

    @Test
    void aForgottenWaiterWhenTheWorldCloses() throws Exception {
        isFound("all-stages-complete", TELLS_NO_FAILURE, world -> {
            DeviceContext context = world.adapter("a").process("app").open();
            world.await(context.createChannel()).next();
        });
    }

    @Test
    void anEndpointLeftOnTheFabric() throws Exception {
        isFound("no-leaked-resources", STAYS_ON_THE_FABRIC, PlantedBreaksTest::destroyedWithARequest);
    }

    @Test
    void aNumberThatIsNotFreed() throws Exception {
        isFound("no-leaked-resources", FREES_NO_NUMBER, PlantedBreaksTest::destroyedWithARequest);
    }

    /** A queue pair in ERR still exists, and frees what it holds. */
    private static void broken(World world, QpState state) {
        ConnectedPair pair = pair(world, 14);
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64))));
        world.await(pair.a().qp().modify(QpModify.to(state)));
    }

    @Test
    void aLeaseThatIsNotReturned() throws Exception {
        isFound("no-leaked-resources", KEEPS_A_LEASE, world -> broken(world, QpState.ERR));
    }

    @Test
    void leasesKeptByAQueuePairInError() throws Exception {
        isFound("no-leaked-resources", KEEPS_ALL_LEASES, world -> broken(world, QpState.ERR));
    }

    @Test
    void memoryOfAProcessThatExited() throws Exception {
        isFound("no-leaked-resources", KEEPS_MEMORY_MAPPED, world -> {
            HostMemory memory = world.adapter("a").process("app").allocate(4096);
            assertThat(memory.isMapped()).isTrue();
            world.await(world.adapter("a").process("app").exit());
        });
    }

    @Test
    void anActorOfADestroyedObject() throws Exception {
        isFound("no-leaked-resources", STAYS_ALIVE, world -> {
            DeviceContext context = world.adapter("a").process("app").open();
            world.await(world.await(context.createChannel()).destroy());
        });
    }

    /** Answers, but does not stop. */
    static final class StaysAlive {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Behavior<?> next) {
            next = Behaviors.same();
        }
    }
}
