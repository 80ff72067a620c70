// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldStalledException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Polling on the program's own thread. */
class CompletionPollerTest {
    private static final Duration A_WHILE = Duration.ofNanos(200_000);

    private final World world = World.of(31);
    private final DeviceContext sending =
            world.network().addAdapter("a", Profile.CONNECTX_5).process("app").open();
    private final DeviceContext receiving =
            world.network().addAdapter("b", Profile.CONNECTX_5).process("app").open();
    private final ProtectionDomain from = sending.allocatePd();
    private final ProtectionDomain into = receiving.allocatePd();
    private final List<Long> seen = new ArrayList<>();

    @AfterEach
    void close() {
        world.close();
    }

    private void note(CompletionCursor cursor) {
        seen.add(cursor.workId());
    }

    private QpPair<RcQueuePair> senders(CompletionQueue cq, int length) {
        return world.await(QpPair.connectRc(
                from,
                QpDescription.rc()
                        .withSendCq(cq)
                        .withCapacity(QpCapacity.of(length).withMaxSge(1).withMaxInlineBytes(0)),
                into,
                QpDescription.rc()));
    }

    private static void write(QpPair<RcQueuePair> pair, long first, long end) {
        for (long id = first; id < end; id++) {
            pair.local()
                    .post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
    }

    private static Long[] ids(long first, long end) {
        return LongStream.range(first, end).boxed().toArray(Long[]::new);
    }

    private static void isRefused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    // rule completion-polled-at-once
    @Test
    void entriesAreTakenOldestFirstUpToTheMaximum() {
        CompletionQueue cq = world.await(sending.createCq(600));
        QpPair<RcQueuePair> pair = senders(cq, 512);
        write(pair, 0, 200);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        List<Integer> behind = new ArrayList<>();
        assertThat(poller.poll(150, cursor -> {
                    note(cursor);
                    behind.add(cursor.remaining());
                }))
                .isEqualTo(150);
        assertThat(behind).startsWith(63, 62).endsWith(1, 0);
        assertThat(poller.poll(150, this::note)).isEqualTo(50);
        assertThat(poller.poll(150, this::note)).isZero();
        assertThat(seen).containsExactly(ids(0, 200));
    }

    @Test
    void aHandlerPostsIntoTheSlotThatItsEntryFreed() {
        CompletionQueue cq = world.await(sending.createCq(1));
        QpPair<RcQueuePair> pair = senders(cq, 1);
        CompletionPoller poller = cq.poller();
        write(pair, 0, 1);
        while (seen.size() < 20) {
            poller.poll(1, cursor -> {
                note(cursor);
                write(pair, cursor.workId() + 1, cursor.workId() + 2);
            });
        }
        assertThat(seen).containsExactly(ids(0, 20));
    }

    @Test
    void aLoopThatPollsUntilAnEntryComesEndsInAWorld() {
        CompletionQueue cq = world.await(sending.createCq(4));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        write(pair, 7, 8);
        CompletionPoller poller = cq.poller();
        while (poller.poll(1, this::note) == 0) {
            assertThat(seen).isEmpty();
        }
        assertThat(seen).containsExactly(7L);
    }

    @Test
    void aLoopThatNothingEndsIsAStalledWorld() {
        CompletionPoller poller = world.await(sending.createCq(4)).poller();
        world.runFor(A_WHILE);
        assertThatThrownBy(() -> {
                    while (poller.poll(1, this::note) == 0) {
                        assertThat(seen).isEmpty();
                    }
                })
                .isInstanceOf(WorldStalledException.class)
                .hasMessageContaining("nothing writes a completion");
    }

    // rule completion-arm-forward
    @Test
    void armPollAndWaitMissesNoEntry() {
        CompletionChannel channel = world.await(sending.createChannel());
        CompletionQueue cq = world.await(sending.createCq(CqDescription.of(64).withChannel(channel)));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        CompletionPoller poller = cq.poller();
        for (int round = 0; round < 50; round++) {
            write(pair, 2 * round, 2 * round + 2);
            while (seen.size() < 2 * round + 2) {
                cq.arm(CompletionQueue.Arm.ANY);
                if (poller.poll(16, this::note) == 0) {
                    CompletionStage<CompletionQueue> event = channel.next();
                    assertThat(world.await(event)).isSameAs(cq);
                }
            }
        }
        assertThat(seen).containsExactly(ids(0, 100));
    }

    @Test
    void whatAHandlerDidNotGetBecauseOneThrewComesNext() {
        CompletionQueue cq = world.await(sending.createCq(16));
        write(senders(cq, 16), 0, 5);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        assertThatThrownBy(() -> poller.poll(5, cursor -> {
                    note(cursor);
                    if (cursor.workId() == 1) {
                        throw new IllegalStateException("broken");
                    }
                }))
                .hasMessage("broken");
        assertThat(poller.poll(5, this::note)).isEqualTo(3);
        assertThat(seen).containsExactly(ids(0, 5));
    }

    @Test
    void aPollInAHandlerOfTheSamePollerIsRefused() {
        CompletionQueue cq = world.await(sending.createCq(16));
        write(senders(cq, 16), 0, 2);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        assertThatThrownBy(() -> poller.poll(1, cursor -> poller.poll(1, this::note)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(cq.poller().poll(1, cursor -> note(cursor))).isEqualTo(1);
    }

    @Test
    void besideASubscriptionPollingIsBusyAndAfterItNot() {
        CompletionQueue cq = world.await(sending.createCq(16));
        CompletionPoller poller = cq.poller();
        CompletionReader reader = cq.forEachCompletion(this::note);
        world.runFor(A_WHILE);
        isRefused(Errno.EBUSY, () -> poller.poll(1, this::note));
        reader.close();
        world.await(reader.ended());
        world.runFor(A_WHILE);
        assertThat(poller.poll(1, this::note)).isZero();
    }

    @Test
    void aDestroyedQueueIsRefusedAndAMaximumOfNone() {
        CompletionQueue cq = world.await(sending.createCq(16));
        CompletionPoller poller = cq.poller();
        isRefused(Errno.EINVAL, () -> poller.poll(0, this::note));
        world.await(cq.destroy());
        isRefused(Errno.EINVAL, () -> poller.poll(1, this::note));
        isRefused(Errno.EINVAL, () -> cq.arm(CompletionQueue.Arm.ANY));
    }

    // rule completion-overrun
    @Test
    void anOverflowedQueueIsAnErrorOfThePoll() {
        CompletionQueue cq = world.await(sending.createCq(1));
        write(senders(cq, 4), 0, 4);
        world.runFor(A_WHILE);
        isRefused(Errno.EIO, () -> cq.poller().poll(1, this::note));
    }

    @Test
    void entriesOfAQueuePairThatWasResetAreNotPolled() {
        CompletionQueue cq = world.await(sending.createCq(16));
        QpPair<RcQueuePair> gone = senders(cq, 4);
        QpPair<RcQueuePair> stays = senders(cq, 4);
        write(gone, 0, 2);
        write(stays, 2, 4);
        world.runFor(A_WHILE);
        world.await(gone.local().modify(QpModify.to(QpState.RESET)));
        assertThat(cq.poller().poll(16, this::note)).isEqualTo(2);
        assertThat(seen).containsExactly(2L, 3L);
    }

    @Test
    void aRefusedPollAfterAFullOneLeavesThePollerUsable() {
        CompletionQueue cq = world.await(sending.createCq(16));
        QpPair<RcQueuePair> pair = senders(cq, 16);
        write(pair, 0, 5);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        assertThat(poller.poll(5, this::note)).isEqualTo(5);
        CompletionReader reader = cq.forEachCompletion(this::note);
        world.runFor(A_WHILE);
        isRefused(Errno.EBUSY, () -> poller.poll(5, this::note));
        reader.close();
        world.await(reader.ended());
        write(pair, 5, 7);
        world.runFor(A_WHILE);
        assertThat(poller.poll(5, this::note)).isEqualTo(2);
        assertThat(seen).containsExactly(ids(0, 7));
    }

    // rule completion-polled-at-once
    @Test
    void anEntryBehindManyOfAResetQueuePairIsPolled() {
        CompletionQueue cq = world.await(sending.createCq(64));
        QpPair<RcQueuePair> gone = senders(cq, 16);
        QpPair<RcQueuePair> stays = senders(cq, 16);
        write(gone, 0, 9);
        world.runFor(A_WHILE);
        write(stays, 9, 10);
        world.runFor(A_WHILE);
        world.await(gone.local().modify(QpModify.to(QpState.RESET)));
        assertThat(cq.poller().poll(1, this::note)).isEqualTo(1);
        assertThat(seen).containsExactly(9L);
    }

    @Test
    void aHandlerThatDestroysTheQueueEndsThePollWithItsCount() {
        CompletionQueue cq = world.await(sending.createCq(16));
        QpPair<RcQueuePair> pair = senders(cq, 16);
        write(pair, 0, 3);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        int polled = poller.poll(10, cursor -> {
            note(cursor);
            if (cursor.remaining() == 0) {
                pair.local().destroy();
                cq.destroy();
            }
        });
        assertThat(polled).isEqualTo(3);
    }

    @Test
    void entriesLeftByAnExceptionGoWithTheResetOfTheirQueuePair() {
        CompletionQueue cq = world.await(sending.createCq(16));
        QpPair<RcQueuePair> pair = senders(cq, 16);
        write(pair, 0, 5);
        world.runFor(A_WHILE);
        CompletionPoller poller = cq.poller();
        assertThatThrownBy(() -> poller.poll(5, cursor -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        world.await(pair.local().modify(QpModify.to(QpState.RESET)));
        assertThat(poller.poll(5, this::note)).isZero();
    }

    @Test
    void aPollThatLoopsWithinATaskIsAStalledWorld() {
        CompletionPoller poller = world.await(sending.createCq(4)).poller();
        List<Throwable> thrown = new ArrayList<>();
        world.await(sending.createChannel().thenAccept(channel -> {
            try {
                while (poller.poll(1, this::note) == 0) {
                    assertThat(seen).isEmpty();
                }
            } catch (WorldStalledException stalled) {
                thrown.add(stalled);
            }
        }));
        assertThat(thrown)
                .singleElement()
                .satisfies(each -> assertThat(each).hasMessageContaining("it polls within a task"));
    }
}
