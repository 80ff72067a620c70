// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
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
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

// rule completion-producer-index
/** Programs that poll only if the producer index has changed, on threads of their own. */
@Timeout(60)
class ProducerIndexTest {
    private static final int REQUESTS = 20_000;
    private static final int WINDOW = 64;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final DeviceContext here =
            network.addAdapter("a", Profile.CONNECTX_6).process("app").open();
    private final DeviceContext there =
            network.addAdapter("b", Profile.CONNECTX_6).process("app").open();
    private final AtomicLong index = new AtomicLong();

    @AfterEach
    void close() {
        network.close();
    }

    private static CqDescription of(int entries) {
        return CqDescription.of(entries);
    }

    private CompletionQueue created(CqDescription requested) {
        return network.await(here.createCq(requested));
    }

    private QpPair<RcQueuePair> pair(CompletionQueue cq) {
        return network.await(QpPair.connectRc(
                here.allocatePd(),
                QpDescription.rc().withSendCq(cq).withCapacity(QpCapacity.of(WINDOW)),
                there.allocatePd(),
                QpDescription.rc()));
    }

    private static void write(QpPair<RcQueuePair> pair, long id) {
        pair.local().post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
    }

    /** The steps of {@link CqDescription#withProducerIndex}. */
    private final class Steps {
        final CompletionPoller poller;
        final BitSet seen = new BitSet();
        long empty;
        int calls;

        Steps(CompletionQueue cq) {
            poller = cq.poller();
        }

        int poll(int max) {
            long now = index.get();
            if (now == empty) {
                return 0;
            }
            calls++;
            int polled = poller.poll(max, cursor -> seen.set((int) cursor.workId()));
            if (polled < max) {
                empty = now;
            }
            return polled;
        }
    }

    private void isReached(long number) {
        Awaitility.await("producer index " + number).atMost(LONG).until(() -> index.get() == number);
    }

    @Test
    void aBusyLoopPollsOnlyWhenTheNumberChangedAndMissesNothing() {
        CompletionQueue cq = created(of(WINDOW).withProducerIndex(index::set));
        QpPair<RcQueuePair> pair = pair(cq);
        Steps steps = new Steps(cq);
        long end = System.nanoTime() + LONG.toNanos();
        for (int posted = 0; steps.seen.cardinality() < REQUESTS && System.nanoTime() < end; steps.poll(7)) {
            for (; posted < REQUESTS && posted - steps.seen.cardinality() < 1 + posted % 9; posted++) {
                write(pair, posted);
            }
        }
        assertThat(steps.seen.nextClearBit(0)).isEqualTo(REQUESTS);
        assertThat(steps.calls).isLessThanOrEqualTo(2 * REQUESTS);
        assertThat(index).hasValue(REQUESTS);
    }

    @Test
    void aSleepingLoopIsWokenForEveryEntry() {
        CompletionChannel channel = network.await(here.createChannel());
        CompletionQueue cq = created(of(WINDOW).withChannel(channel).withProducerIndex(index::set));
        QpPair<RcQueuePair> pair = pair(cq);
        Steps steps = new Steps(cq);
        int posted = 0;
        while (steps.seen.cardinality() < REQUESTS) {
            for (; posted < REQUESTS && posted - steps.seen.cardinality() < 1 + posted % 5; posted++) {
                write(pair, posted);
            }
            if (steps.poll(WINDOW) == 0) {
                cq.arm(CompletionQueue.Arm.ANY);
                if (steps.poll(WINDOW) == 0) {
                    network.await(channel.next(), LONG);
                }
            }
        }
        assertThat(steps.seen.nextClearBit(0)).isEqualTo(REQUESTS);
    }

    @Test
    void anOverrunChangesTheNumberAndThePollReportsIt() {
        CompletionQueue cq = created(of(1).withProducerIndex(index::set));
        QpPair<RcQueuePair> pair = pair(cq);
        write(pair, 0);
        isReached(1);
        write(pair, 1);
        isReached(2);
        assertThatThrownBy(() -> cq.poller().poll(1, cursor -> {}))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EIO));
    }

    @Test
    void aResizeAndAResetKeepTheNumber() {
        CompletionQueue cq = created(of(3).withProducerIndex(index::set));
        QpPair<RcQueuePair> pair = pair(cq);
        write(pair, 0);
        write(pair, 1);
        isReached(2);
        network.await(cq.resize(WINDOW));
        network.await(pair.local().modify(QpModify.to(QpState.RESET)));
        assertThat(cq.poller().poll(8, cursor -> {})).isZero();
        QpPair<RcQueuePair> other = pair(cq);
        write(other, 2);
        isReached(3);
        assertThat(cq.poller().poll(8, cursor -> {})).isEqualTo(1);
    }

    @Test
    void aReceiverThatThrowsLosesNoEntryAndNoLaterNumber() {
        AtomicInteger calls = new AtomicInteger();
        CompletionQueue cq = created(of(WINDOW).withProducerIndex(now -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("planned");
            }
            index.set(now);
        }));
        QpPair<RcQueuePair> pair = pair(cq);
        for (int id = 0; id < 4; id++) {
            write(pair, id);
        }
        isReached(4);
        assertThat(calls).hasValue(4);
        assertThat(cq.poller().poll(8, cursor -> {})).isEqualTo(4);
    }

    @Test
    void noNumberComesAfterDestruction() {
        AtomicInteger late = new AtomicInteger();
        AtomicInteger destroyed = new AtomicInteger();
        CompletionQueue cq = created(of(WINDOW).withProducerIndex(now -> {
            late.addAndGet(destroyed.get());
            index.set(now);
        }));
        QpPair<RcQueuePair> pair = pair(cq);
        write(pair, 0);
        isReached(1);
        write(pair, 1);
        network.await(pair.local().destroy());
        network.await(cq.destroy());
        destroyed.set(1);
        network.await(created(of(1)).destroy());
        assertThat(late).hasValue(0);
    }
}
