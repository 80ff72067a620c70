// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.lease.Lease;
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
import org.hcaactors.judge.planted.Patch;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** The invariants of rest, each against a patch of the adapter that breaks it in a world. */
class PlantedBreaksTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A program in a fresh world, to its end; what that throws, with the patch and without. */
    private interface Program {
        void run(World world);
    }

    private static void isFound(String invariant, String type, String method, Class<?> advice, Program program)
            throws Exception {
        assertThat(broken(program)).as("without the patch").isEmpty();
        ByteBuddyAgent.install();
        Class<?> target = Patch.type(type);
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        new ByteBuddy()
                .redefine(target)
                .visit(Advice.to(advice).on(ElementMatchers.named(method)))
                .make()
                .load(target.getClassLoader(), reload);
        try {
            assertThat(broken(program)).as("with the patch").contains(invariant);
        } finally {
            reload.reset(target);
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
        RcConnection terms = RcConnection.DEFAULT
                .withTimeoutCode(timeout)
                .withRetryCount(7)
                .withRnrRetry(7)
                .withMinRnrTimerCode(12);
        return world.connect(a, b, new Shape(terms, QpCapacity.DEFAULT, 100, 4096));
    }

    /** Soft-RoCE tells the gap behind a packet that found no receive: an RNR NAK, and then a NAK. */
    private static void twoRefusedSends(World world) {
        ConnectedPair pair = pair(world, 0);
        pair.a().qp().post(Send.of(1, pair.a().slice(0, 64)));
        pair.a().qp().post(Send.of(2, pair.a().slice(0, 64)));
        world.runFor(Duration.ofNanos(20_000));
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        pair.b().qp().postReceive(Receive.of(2, pair.b().slice(0, 64)));
    }

    /** A NAK during an RNR wait takes the deadline of the wait, and there is none without a timeout. */
    static final class OverwritesTheWait {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean answer) {
            answer = false;
        }
    }

    @Test
    void anRnrWaitWhoseDeadlineIsOverwritten() throws Exception {
        isFound(
                "never-stands-still",
                "rc.RcRecovery",
                "saysNothingNew",
                OverwritesTheWait.class,
                PlantedBreaksTest::twoRefusedSends);
    }

    /** Every count is twice what it is. */
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
                context.allocatePd().register(Registration.of(memory).onDemand()));
        world.await(region.prefetch(0, 1 << 14, false));
        memory.evict(0, 1 << 12);
        world.runFor(Duration.ofMillis(1));
    }

    @Test
    void pagesThatAreCountedTwice() throws Exception {
        isFound("counts-pages", "counter.PagingBoard", "add", CountsDouble.class, PlantedBreaksTest::evictedPages);
    }

    static final class DoesNothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    /** The peer's receive queue stays empty, so that a request waits while its queue pair goes. */
    private static void destroyedWithARequest(World world) {
        ConnectedPair pair = pair(world, 14);
        pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64)));
        world.runFor(Duration.ofNanos(20_000));
        world.await(pair.a().qp().destroy());
    }

    @Test
    void aRequestThatIsDroppedAndNotTold() throws Exception {
        isFound("every-stage-ends", "stage.Reply", "fail", DoesNothing.class, PlantedBreaksTest::destroyedWithARequest);
    }

    @Test
    void aWaiterThatIsForgottenWhenTheWorldCloses() throws Exception {
        isFound("every-stage-ends", "stage.Reply", "fail", DoesNothing.class, world -> {
            DeviceContext context = world.adapter("a").process("app").open();
            world.await(context.createChannel()).next();
        });
    }

    @Test
    void aPlaceOnTheFabricThatIsKept() throws Exception {
        isFound(
                "nothing-is-held",
                "queue.QueuePairActor",
                "detach",
                DoesNothing.class,
                PlantedBreaksTest::destroyedWithARequest);
    }

    @Test
    void aNumberThatIsNotFree() throws Exception {
        isFound(
                "nothing-is-held",
                "number.NumberSpace",
                "free",
                DoesNothing.class,
                PlantedBreaksTest::destroyedWithARequest);
    }

    /** In ERR a queue pair lives on, and gives back what it holds. */
    private static void broken(World world, QpState state) {
        ConnectedPair pair = pair(world, 14);
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64))));
        world.await(pair.a().qp().modify(QpModify.to(state)));
    }

    @Test
    void aLeaseThatDoesNotGoBack() throws Exception {
        isFound(
                "nothing-is-held",
                "queue.Outbox",
                "releaseLease",
                DoesNothing.class,
                world -> broken(world, QpState.ERR));
    }

    static final class ReleasesNone {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<Lease> released) {
            released = List.of();
        }
    }

    @Test
    void aLeaseThatAQueuePairInErrorKeeps() throws Exception {
        isFound(
                "nothing-is-held",
                "lease.LeaseCache",
                "releaseAll",
                ReleasesNone.class,
                world -> broken(world, QpState.ERR));
    }

    @Test
    void memoryOfAProcessThatExited() throws Exception {
        isFound("nothing-is-held", "device.ProcessHandle", "unmap", DoesNothing.class, world -> {
            HostMemory memory = world.adapter("a").process("app").allocate(4096);
            assertThat(memory.isMapped()).isTrue();
            world.await(world.adapter("a").process("app").exit());
        });
    }

    @Test
    void anActorOfWhatWasDestroyed() throws Exception {
        isFound("nothing-is-held", "event.EventQueueActor", "destroy", StaysAlive.class, world -> {
            DeviceContext context = world.adapter("a").process("app").open();
            world.await(world.await(context.createChannel()).destroy());
        });
    }

    /** Answered, but it does not stop. */
    static final class StaysAlive {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Behavior<?> next) {
            next = Behaviors.same();
        }
    }
}
