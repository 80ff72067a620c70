// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DeadlineExceededException;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

// rule post-deadline
class DeadlineTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final World world = World.of(WorldOptions.ofProgram(1, Pace.INSTANT));
    private final ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
    private final RcEnd a = pair.a();

    @AfterEach
    void theWorldEnds() {
        world.close();
    }

    private RdmaWrite write(int id) {
        return RdmaWrite.of(id, a.slice(8L * id, 8), pair.b().remote(0));
    }

    private DeadlineExceededException late(Duration atMost) {
        return catchThrowableOfType(
                DeadlineExceededException.class, () -> world.await(a.qp().submit(write(1), atMost)));
    }

    @Test
    void aRequestCompletedInTimeSucceedsWithoutAFlush() {
        assertThat(world.await(a.qp().submit(write(1), SOON)).status()).isEqualTo(Status.SUCCESS);
        world.runFor(SOON.multipliedBy(2));
        assertThat(a.qp().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aLateRequestIsFlushedBeforeItsStageFails() {
        world.faults().on(packet().write()).drop();
        long before = world.now();
        DeadlineExceededException late = late(SOON);
        assertThat(late.timeout()).isEqualTo(SOON);
        assertThat(late.completion().status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(late)
                .hasMessageStartingWith(
                        "request 1 of queue pair " + a.qp().number() + " did not complete within PT0.001S; ");
        assertThat(world.now() - before).isBetween(SOON.toNanos(), 2 * SOON.toNanos());
        assertThat(a.qp().state()).isEqualTo(QpState.ERR);
        a.memory().writeLong(8, 5);
    }

    @Test
    void theQueuePairsOtherRequestsAreFlushedToo() {
        world.faults().on(packet().write()).drop();
        var other = a.qp().submit(write(2));
        assertThat(late(SOON)).isNotNull();
        assertThat(world.await(other).status()).isEqualTo(Status.WR_FLUSH_ERR);
    }

    @Test
    void aRequestThatFailsInTimeCompletesWithItsError() {
        WorkCompletion refused = world.await(a.qp().submit(
                        RdmaWrite.of(
                                1, a.slice(0, 8), pair.b().region().remote(0).plus(1L << 40)),
                        SOON));
        assertThat(refused.status()).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    void aRefusedRequestIsNotPosted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.qp().submit(write(1), Duration.ofNanos(-1)))
                .withMessageContaining("0 to PT576H is allowed");
        world.await(a.qp().destroy());
        assertThatThrownBy(() -> world.await(a.qp().submit(write(1), SOON))).isInstanceOf(VerbsException.class);
        world.runFor(SOON.multipliedBy(2));
    }

    @Test
    void aClosedQueuePairEndsThePendingRequest() {
        world.faults().on(packet().write()).drop();
        var late = a.qp().submit(write(1), SOON);
        world.runFor(SOON.dividedBy(2));
        world.await(a.qp().closeAsync());
        assertThatThrownBy(() -> assertThat(world.await(late).status()).isEqualTo(Status.SUCCESS))
                .isInstanceOfAny(AssertionError.class, VerbsException.class);
    }
}
