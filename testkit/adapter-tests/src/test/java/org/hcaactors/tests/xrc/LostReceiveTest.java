// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A queue pair that ends while a receive from a shared queue is on its way to it: in some orders of a world no actor handles
 * the receive. It must be returned to its queue or completed, so that its slot is free.
 */
@Tag("judge")
class LostReceiveTest {
    private static final int SEEDS = 40;
    private static final int POSTED = 4;

    /** Checks that, once all completions are taken, the queue accepts as many receives as its free slots. */
    private static void hasAllItsPlaces(World world, SharedReceiveQueue queue, CompletionQueue ended, Receive one) {
        world.await(ended.poll(POSTED));
        int free = queue.capacity().maxWr() - world.await(queue.query()).posted();
        for (int i = 0; i < free; i++) {
            queue.postReceive(one);
        }
    }

    private static void inManyOrders(Consumer<World> story) {
        for (int seed = 0; seed < SEEDS; seed++) {
            try (World world = World.of(seed)) {
                story.accept(world);
            } catch (RuntimeException | AssertionError lost) {
                throw new AssertionError("seed " + seed, lost);
            }
        }
    }

    private static void keepsAll(BiConsumer<World, RcQueuePair> ends) {
        inManyOrders(world -> {
            Side from = Side.of(world.network(), world.adapter("a"), "app", 4096);
            Side into = Side.of(world.network(), world.adapter("b"), "app", 4096);
            CompletionQueue ended = world.await(into.context().createCq(16));
            SharedReceiveQueue srq = world.await(into.domain().createSrq(SrqDescription.of(POSTED)));
            Ends<RcEnd> pair = RcEnd.connect(
                    world.network(),
                    Half.on(from),
                    Half.on(into).withRecvCq(ended).withSrq(srq),
                    RcConnection.DEFAULT);
            Receive receive = Receive.of(1, into.slice(0, 64));
            for (int i = 0; i < POSTED; i++) {
                srq.postReceive(receive);
            }
            RcQueuePair asked = pair.b().qp();
            onArrival(world, () -> ends.accept(world, asked));
            pair.a().qp().post(Send.of(1, from.slice(0, 32)));
            world.runFor(Duration.ofMillis(1));
            hasAllItsPlaces(world, srq, ended, receive);
        });
    }

    /** Uses a target created by another process than the queue's. */
    private static void keepsAllThatAreNamed(BiConsumer<XrcTarget, HostProcess> ends) {
        inManyOrders(world -> {
            XrcSetup ground = new XrcSetup(world);
            XrcSetup.Member owner = ground.member("owner");
            XrcSetup.Member maker = ground.member("maker");
            XrcTarget target = world.await(maker.shared.createTarget());
            XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("asker").to(target);
            int places = owner.queue.capacity().maxWr();
            for (int i = 0; i < places; i++) {
                owner.queue.postReceive(Receive.of(i, owner.slice(0, 64)));
            }
            onArrival(world, () -> ends.accept(target, ground.far.process("maker")));
            initiator.pair.post(owner.queue.number(), Send.of(1, initiator.slice(0, 32)));
            world.runFor(Duration.ofMillis(1));
            hasAllItsPlaces(world, owner.queue, owner.completions, Receive.of(1, owner.slice(0, 64)));
        });
    }

    /** Runs the act when the message arrives, in any order with the other actions of that instant. */
    private static void onArrival(World world, Runnable act) {
        AtomicBoolean first = new AtomicBoolean(true);
        world.trace().listen(event -> {
            if (event instanceof FabricEvent.Delivered there
                    && !there.packet().operation().isResponse()
                    && first.getAndSet(false)) {
                world.system().executionContext().execute(act);
            }
        });
    }

    // rule receive-returned
    @Test
    void aDestroyedQueuePairLosesNoReceive() {
        keepsAll((world, asked) -> asked.destroy());
    }

    // rule receive-returned
    @Test
    void aQueuePairDestroyedInErrLosesNoReceive() {
        keepsAll((world, asked) -> {
            asked.modify(QpModify.to(QpState.ERR));
            asked.destroy();
        });
    }

    // rule receive-returned
    @Test
    void aQueuePairDestroyedInResetLosesNoReceive() {
        keepsAll((world, asked) -> {
            asked.modify(QpModify.to(QpState.RESET));
            asked.destroy();
        });
    }

    // rule receive-returned
    @Test
    void aCrashedQueuePairLosesNoReceive() {
        keepsAll((world, asked) ->
                world.faults().arm(new Fault.Crash(Duration.ZERO, new CrashTarget.QueuePairOf("b", asked.number()))));
    }

    // rule receive-returned
    @Test
    void aDestroyedTargetLosesNoNamedReceive() {
        keepsAllThatAreNamed((target, maker) -> target.destroy());
    }

    // rule receive-returned
    @Test
    void anEndedProcessOfATargetLosesNoNamedReceive() {
        keepsAllThatAreNamed((target, maker) -> maker.exit());
    }

    // rules receive-returned, event-crash
    @Test
    void aCrashAtTheArrivalOfAReceiveLosesNone() {
        inManyOrders(world -> {
            XrcSetup ground = new XrcSetup(world);
            XrcSetup.Member owner = ground.member("owner");
            XrcTarget target = world.await(owner.shared.createTarget());
            XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("asker").to(target);
            owner.receive(7, 64);
            AtomicBoolean first = new AtomicBoolean(true);
            world.trace().listen(event -> {
                if (event instanceof HcaEvent.ReceiveTaken && first.getAndSet(false)) {
                    throw new IllegalStateException("its trace is broken");
                }
            });
            initiator.pair.post(owner.queue.number(), Send.of(1, initiator.slice(0, 32)));
            world.runFor(Duration.ofMillis(1));
            assertThat(owner.polled().workId()).isEqualTo(7);
        });
    }
}
