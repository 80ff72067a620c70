// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Correct programs that were once reported as mistaken. */
class RightProgramsTest {
    private static final byte[] WORD = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final int ID = 1;

    private final World world = World.of(WorldOptions.ofProgram(1, Pace.INSTANT));

    @AfterEach
    void nothingWasWrong() {
        world.settle();
        world.close();
    }

    private ConnectedPair pair(Shape shape) {
        return world.connect(world.adapter("a"), world.adapter("b"), shape);
    }

    private static RdmaWrite write(ConnectedPair pair, long offset) {
        return RdmaWrite.of(
                ID, pair.a().side().slice(offset, 8), pair.b().side().remote(0));
    }

    private void takeOne(ConnectedPair pair) {
        assertThat(world.runToQuiet(Duration.ofSeconds(20))).isTrue();
        assertThat(world.await(pair.a().qp().sendCq().poll(1))).hasSize(1);
    }

    @Test
    void aSignaledRequestMayHaveTheIdOfAnUnsignaledOne() {
        ConnectedPair pair = pair(Shape.DEFAULT);
        pair.a().qp().post(write(pair, 0));
        pair.a().qp().post(write(pair, 8).withSignaled());
        takeOne(pair);
        pair.a().side().memory().write(0, WORD);
        pair.a().side().memory().write(8, WORD);
    }

    private SharedReceiveQueue srq(Side side) {
        SharedReceiveQueue srq = world.await(side.domain().createSrq(SrqDescription.of(8)));
        world.await(srq.armLimit(1));
        return srq;
    }

    private RcEnd senderTo(ConnectedPair pair, SharedReceiveQueue srq, CompletionQueue received) {
        Half from = Half.on(pair.a().side()).withQueues(world.network(), 16);
        Half to = Half.on(pair.b().side())
                .withQueues(world.network(), 16)
                .withRecvCq(received)
                .withSrq(srq);
        return RcEnd.connect(world.network(), from, to, RcConnection.DEFAULT).a();
    }

    @Test
    void sharedQueuesMayHaveReceivesOfTheSameIds() {
        ConnectedPair pair = pair(Shape.DEFAULT);
        Side side = pair.b().side();
        for (int i = 0; i < 8; i++) {
            SharedReceiveQueue srq = srq(side);
            srq.postReceive(Receive.of(ID, side.slice(64L * i, 64)));
            srq.postReceive(Receive.of(ID + 1, side.slice(4096 + 64L * i, 64)));
            CompletionQueue received = world.await(side.context().createCq(16));
            RcEnd sender = senderTo(pair, srq, received);
            world.await(sender.qp().submit(Send.of(ID, pair.a().side().slice(0, 8))));
            world.await(received.poll(1));
            side.memory().read(64L * i, 8);
            if (i > 3) {
                srq.postReceive(Receive.of(ID, side.slice(64L * i, 64)));
            }
        }
    }

    @Test
    void aDestroyedDcTargetReturnsItsReceives() {
        Side a = Half.of(world.network(), world.adapter("a"), Shape.DEFAULT).side();
        Side b = Half.of(world.network(), world.adapter("b"), Shape.DEFAULT).side();
        Ends<DcEnd> ends = DcEnd.introduce(
                world.network(),
                Half.on(a).withQueues(world.network(), 16),
                Half.on(b).withQueues(world.network(), 16),
                RcConnection.DEFAULT);
        world.await(ends.b().receives().armLimit(1));
        for (int i = 0; i < 3; i++) {
            ends.b().postReceive(Receive.of(ID, b.slice(64L * i, 64)));
        }
        for (int i = 0; i < 2; i++) {
            world.await(ends.a().submit(Send.of(ID, a.slice(0, 8))));
            world.await(ends.b().recvCq().poll(1));
            b.memory().read(64L * i, 8);
            ends.b().postReceive(Receive.of(ID, b.slice(64L * i, 64)));
        }
    }

    @Test
    void aFlushedQueueReturnsItsSlots() {
        ConnectedPair pair = pair(Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxSendWr(4)));
        world.await(pair.a().qp().modify(QpModify.to(QpState.ERR)));
        for (int i = 0; i < 6; i++) {
            pair.a().qp().post(write(pair, 0));
            takeOne(pair);
        }
        pair.a().side().memory().write(0, WORD);
    }

    @Test
    void aStageMayHaveTheIdOfAnUnsignaledRequest() {
        ConnectedPair pair = pair(Shape.DEFAULT);
        pair.a().qp().post(write(pair, 0));
        var done = pair.a()
                .qp()
                .submit(RdmaWrite.of(
                        ID,
                        pair.a().side().slice(0, 8),
                        pair.b().side().remote(0).plus(1L << 40)));
        assertThat(world.await(done).status()).isEqualTo(Status.REM_ACCESS_ERR);
    }

    private Side served(String process) {
        return Side.of(world.network(), world.adapter("b"), process, 8192);
    }

    /** Posts all of its memory, to its own queue and to a shared one. */
    private void postsAll(Side side) {
        SharedReceiveQueue srq = srq(side);
        srq.postReceive(Receive.of(ID, side.slice(0, 4096)));
        Half here = Half.on(side).withQueues(world.network(), 16);
        Half there = Half.on(Side.of(world.network(), world.adapter("a"), "peer", 64))
                .withQueues(world.network(), 16);
        RcEnd own = RcEnd.connect(world.network(), here, there, RcConnection.DEFAULT)
                .a();
        own.qp().postReceive(Receive.of(ID, side.slice(4096, 4096)));
    }

    // rule completion-killed
    @Test
    void memoryLentByADeadProcessBelongsToItsSuccessor() {
        Side first = served("app");
        postsAll(first);
        world.await(first.context().process().kill());
        Side second = served("app");
        assertThat(second.region().address()).isEqualTo(first.region().address());
        second.memory().write(0, WORD);
        second.memory().write(4096, WORD);
        postsAll(second);
    }

    @Test
    void memoryLentToADestroyedSrqIsReturned() {
        Side side = served("app");
        SharedReceiveQueue srq = srq(side);
        srq.postReceive(Receive.of(ID, side.slice(0, 4096)));
        world.await(srq.closeAsync());
        side.memory().write(0, WORD);
    }
}
