// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

class BuffersHaveOwnersTest {
    private static final byte[] WORD = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final Duration SOON = Duration.ofSeconds(20);

    private record Run(World world, RcEnd a, RcEnd b) {
        WorkCompletion receives(RcEnd end) {
            return world.await(end.qp().recvCq().poll(1)).getFirst();
        }
    }

    /** Returns the message that a program with this mistake gets. */
    private static Optional<ProgramCheck> mistake(Consumer<Run> program) {
        return mistake(Shape.DEFAULT, program);
    }

    private static Optional<ProgramCheck> mistake(Shape shape, Consumer<Run> program) {
        Throwable thrown = catchThrowable(() -> {
            try (World world = World.of(WorldOptions.ofProgram(1, Pace.INSTANT))) {
                ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"), shape);
                program.accept(new Run(world, pair.a(), pair.b()));
                assertThat(world.runToQuiet(SOON)).isTrue();
            }
        });
        if (thrown instanceof ProgramMistakeException told) {
            assertThat(told).hasMessageContaining(told.check().advice());
            return Optional.of(told.check());
        }
        assertThat(thrown).isNull();
        return Optional.empty();
    }

    private static Send send(long id, RcEnd end) {
        return Send.of(id, end.side().slice(0, 64));
    }

    private static void receive(long id, RcEnd end) {
        end.qp().postReceive(Receive.of(id, end.side().slice(0, 64)));
    }

    @Test
    void memoryBeingSentMustNotBeWritten() {
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.a.qp().submit(send(2, run.a));
                    run.a.side().memory().write(63, new byte[1]);
                }))
                .contains(ProgramCheck.BUFFER_WRITTEN_EARLY);
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    var sent = run.a.qp().submit(send(2, run.a));
                    run.a.side().memory().read(0, 64);
                    run.a.side().memory().write(64, WORD);
                    run.world.await(sent);
                    run.a.side().memory().write(0, WORD);
                }))
                .isEmpty();
    }

    @Test
    void anAccessByABufferIsCheckedAsOneByBytes() {
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.a.qp().submit(send(2, run.a));
                    run.a.side().memory().write(0, ByteBuffer.wrap(WORD));
                }))
                .contains(ProgramCheck.BUFFER_WRITTEN_EARLY);
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.b.side().memory().read(0, ByteBuffer.allocate(8));
                }))
                .contains(ProgramCheck.BUFFER_READ_EARLY);
    }

    @Test
    void theMistakeNamesTheCallAndThePosting() {
        Throwable told = catchThrowable(() -> {
            try (World world = World.of(WorldOptions.ofProgram(1, Pace.INSTANT))) {
                ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
                receive(7, pair.b());
                pair.b().side().memory().write(0, WORD);
                world.settle();
            }
        });
        assertThat(told)
                .hasMessageMatching(
                        "(?s).* on b writes 8 bytes at 0x7f[0-9a-f]+ in BuffersHaveOwnersTest\\.\\S+, which the adapter may still write to: receive 7 of"
                                + " b/qp\\d+, posted at BuffersHaveOwnersTest.receive\\(BuffersHaveOwnersTest.java:\\d+\\); .*"
                                + " \\(check buffer-written-early; world.allow\\(ProgramCheck.BUFFER_WRITTEN_EARLY\\) turns it off\\)");
        assertThat(told.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().contains("theMistakeNamesTheCallAndThePosting"));
    }

    @Test
    void aReceiveIsReadWhenItsCompletionWasTaken() {
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.world.await(run.a.qp().submit(send(2, run.a)));
                    run.b.side().memory().read(0, 8);
                }))
                .as("the message has arrived, and the program has not polled")
                .contains(ProgramCheck.BUFFER_READ_EARLY);
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.world.await(run.a.qp().submit(send(2, run.a)));
                    run.receives(run.b);
                    run.b.side().memory().read(0, 8);
                }))
                .isEmpty();
    }

    @Test
    void dataOfAReadMayBeReadAfterItsCompletion() {
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .submit(RdmaRead.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0)));
                    run.a.side().memory().readLong(0);
                }))
                .contains(ProgramCheck.BUFFER_READ_EARLY);
        assertThat(mistake(run -> {
                    run.world.await(run.a
                            .qp()
                            .submit(RdmaRead.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0))));
                    run.a.side().memory().readLong(0);
                }))
                .isEmpty();
    }

    @Test
    void unsignaledRequestsReturnBuffersWithTheNextSignaledOne() {
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .post(RdmaWrite.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0)));
                    run.world.runToQuiet(SOON);
                    run.a.side().memory().write(0, WORD);
                }))
                .as("no completion has reported it as sent")
                .contains(ProgramCheck.BUFFER_WRITTEN_EARLY);
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .post(RdmaWrite.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0)));
                    run.world.await(run.a
                            .qp()
                            .submit(RdmaWrite.of(
                                    2, run.a.side().slice(8, 8), run.b.side().remote(0))));
                    run.a.side().memory().write(0, WORD);
                }))
                .isEmpty();
    }

    @Test
    void inlineDataMayBeOverwrittenAtOnce() {
        Shape inline = Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxInlineBytes(64));
        assertThat(mistake(inline, run -> {
                    run.a
                            .qp()
                            .post(RdmaWrite.of(
                                            1,
                                            run.a.side().slice(0, 8),
                                            run.b.side().remote(0))
                                    .withInline());
                    run.a.side().memory().write(0, WORD);
                }))
                .isEmpty();
    }

    @Test
    void resettingAndDestroyingReturnBuffers() {
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.world.await(run.b.qp().modify(QpModify.to(QpState.RESET)));
                    run.b.side().memory().write(0, WORD);
                }))
                .isEmpty();
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    run.world.await(run.b.qp().destroy());
                    run.b.side().memory().write(0, WORD);
                }))
                .isEmpty();
    }

    @Test
    void twoReceivesHaveBuffersOfTheirOwn() {
        assertThat(mistake(run -> {
                    receive(1, run.b);
                    receive(2, run.b);
                }))
                .contains(ProgramCheck.BUFFER_POSTED_TWICE);
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .submit(RdmaRead.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0)));
                    run.a
                            .qp()
                            .submit(RdmaWrite.of(
                                    2, run.a.side().slice(0, 8), run.b.side().remote(8)));
                }))
                .as("it may go out before the READ brings it")
                .contains(ProgramCheck.BUFFER_POSTED_TWICE);
    }

    @Test
    void fencedRequestsAndAtomicsMayShareABuffer() {
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .submit(RdmaRead.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0)));
                    run.a
                            .qp()
                            .submit(RdmaWrite.of(
                                            2,
                                            run.a.side().slice(0, 8),
                                            run.b.side().remote(8))
                                    .withFence());
                }))
                .isEmpty();
        assertThat(mistake(run -> {
                    run.a
                            .qp()
                            .submit(FetchAdd.of(
                                    1, run.a.side().slice(0, 8), run.b.side().remote(0), 1));
                    run.a
                            .qp()
                            .submit(FetchAdd.of(
                                    2, run.a.side().slice(0, 8), run.b.side().remote(0), 1));
                    run.a
                            .qp()
                            .submit(RdmaWrite.of(
                                    3, run.a.side().slice(8, 8), run.b.side().remote(8)));
                    run.a
                            .qp()
                            .submit(RdmaWrite.of(
                                    4, run.a.side().slice(8, 8), run.b.side().remote(8)));
                }))
                .isEmpty();
    }

    @Test
    void aReceiveShorterThanTheLongestMessageIsAMistake() {
        assertThat(mistake(run -> {
                    run.b.qp().postReceive(Receive.of(1, run.b.side().slice(0, 32)));
                    run.world.await(run.a.qp().submit(send(2, run.a)));
                }))
                .contains(ProgramCheck.RECEIVE_TOO_SMALL);
    }

    @Test
    void aReceiveOfDatagramsHoldsTheirHeader() {
        assertThat(mistake(run -> {
                    UdEnd end = datagrams(run);
                    end.qp().postReceive(Receive.of(1, run.b.side().slice(0, 39)));
                }))
                .contains(ProgramCheck.RECEIVE_TOO_SMALL);
        assertThat(mistake(run -> {
                    UdEnd end = datagrams(run);
                    end.qp().postReceive(Receive.of(1, run.b.side().slice(0, 40)));
                }))
                .isEmpty();
    }

    private static UdEnd datagrams(Run run) {
        Half half = Half.on(run.b.side()).withQueues(run.world.network(), 16);
        Half other = Half.on(run.a.side()).withQueues(run.world.network(), 16);
        return UdEnd.introduce(run.world.network(), half, other, UdEnd.QKEY).a();
    }

    @Test
    void unpolledFailuresAreReported() {
        Consumer<Run> fails = run -> {
            run.world.faults().on(packet().write()).drop();
            run.a
                    .qp()
                    .post(RdmaWrite.of(1, run.a.side().slice(0, 8), run.b.side().remote(0)));
            run.world.runFor(Duration.ofSeconds(10));
        };
        assertThat(mistake(fails)).contains(ProgramCheck.FAILURES_NOT_SEEN);
        assertThat(mistake(fails.andThen(run -> assertThat(run.world
                                .await(run.a.qp().sendCq().poll(1))
                                .getFirst()
                                .status())
                        .isEqualTo(Status.RETRY_EXC_ERR))))
                .isEmpty();
    }

    @Test
    void aQueueFullOfUnsignaledRequestsIsAMistake() {
        Shape small = Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxSendWr(4));
        Consumer<Run> posts = run -> {
            for (int i = 0; i < 3; i++) {
                run.a
                        .qp()
                        .post(RdmaWrite.of(
                                i, run.a.side().slice(0, 8), run.b.side().remote(0)));
            }
        };
        assertThat(mistake(small, posts)).isEmpty();
        assertThat(mistake(
                        small,
                        posts.andThen(run -> run.a
                                .qp()
                                .post(RdmaWrite.of(
                                        9,
                                        run.a.side().slice(0, 8),
                                        run.b.side().remote(0))))))
                .contains(ProgramCheck.ONLY_UNSIGNALED);
    }

    @Test
    void anSrqThatRunsDryWithoutAnArmedLimitIsReported() {
        assertThat(mistake(run -> runsDry(run, 0))).contains(ProgramCheck.LIMIT_NOT_ARMED);
        assertThat(mistake(run -> runsDry(run, 1))).isEmpty();
    }

    private static void runsDry(Run run, int limit) {
        Side side = run.b.side();
        SharedReceiveQueue srq = run.world.await(side.domain().createSrq(SrqDescription.of(8)));
        srq.postReceive(Receive.of(1, side.slice(0, 64)));
        if (limit > 0) {
            run.world.await(srq.armLimit(limit));
        }
        CompletionQueue received = run.world.await(side.context().createCq(16));
        RcEnd sender = RcEnd.connect(
                        run.world.network(),
                        Half.on(run.a.side()).withQueues(run.world.network(), 16),
                        Half.on(side)
                                .withQueues(run.world.network(), 16)
                                .withRecvCq(received)
                                .withSrq(srq),
                        RcConnection.DEFAULT)
                .a();
        run.world.await(sender.qp().submit(send(1, run.a)));
        var second = sender.qp().submit(send(2, run.a));
        run.world.runFor(Duration.ofNanos(50_000));
        srq.postReceive(Receive.of(2, side.slice(64, 64)));
        run.world.await(second);
    }

    @Test
    void anAllowedMistakeIsNotReported() {
        assertThat(mistake(run -> {
                    run.world.allow(ProgramCheck.BUFFER_POSTED_TWICE);
                    receive(1, run.b);
                    receive(2, run.b);
                }))
                .isEmpty();
    }
}
