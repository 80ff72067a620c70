// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.CompletionReader.End;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
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
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A batch reader has the guarantees of a subscription: each entry once, in order, and with its place free when it is delivered.
 */
class CompletionReaderTest {
    private static final Duration A_WHILE = Duration.ofNanos(200_000);

    private final World world = World.of(29);
    private final DeviceContext sending =
            world.network().addAdapter("a", Profile.CONNECTX_5).process("app").open();
    private final DeviceContext receiving =
            world.network().addAdapter("b", Profile.CONNECTX_5).process("app").open();
    private final ProtectionDomain from = sending.allocatePd();
    private final ProtectionDomain into = receiving.allocatePd();
    private final List<AsyncEvent> events = new ArrayList<>();
    private final List<Long> seen = new ArrayList<>();

    CompletionReaderTest() {
        sending.asyncEvents().subscribe(Subscribers.forEach(events::add));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static CompletionReader read(
            CompletionQueue cq, boolean onAdapterThread, Consumer<? super CompletionCursor> handler) {
        return cq.forEachCompletion(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS, handler);
    }

    private void note(CompletionCursor cursor) {
        seen.add(cursor.workId());
    }

    private QpPair<RcQueuePair> senders(CompletionQueue cq, int length) {
        return world.await(QpPair.connectRc(
                from,
                        QpDescription.rc()
                                .withSendCq(cq)
                                .withCapacity(
                                        QpCapacity.of(length).withMaxSge(1).withMaxInlineBytes(0)),
                into, QpDescription.rc()));
    }

    private static void write(QpPair<RcQueuePair> pair, long first, long end) {
        for (long id = first; id < end; id++) {
            pair.local()
                    .post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
    }

    private void goOn() {
        world.runFor(A_WHILE);
    }

    private static Long[] ids(long first, long end) {
        return LongStream.range(first, end).boxed().toArray(Long[]::new);
    }

    private VerbsException refusal(CompletionReader reader) {
        AtomicReference<VerbsException> reason = new AtomicReference<>();
        assertThatThrownBy(() -> world.await(reader.ended())).isInstanceOfSatisfying(VerbsException.class, reason::set);
        return Objects.requireNonNull(reason.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void entriesAreShownOnceAndInOrderInBatchesOf256(boolean onAdapterThread) {
        CompletionQueue cq = world.await(sending.createCq(600));
        QpPair<RcQueuePair> pair = senders(cq, 1024);
        write(pair, 0, 400);
        goOn();
        List<Integer> behind = new ArrayList<>();
        read(cq, onAdapterThread, cursor -> {
            note(cursor);
            behind.add(cursor.remaining());
            assertThat(cursor.status()).isEqualTo(Status.SUCCESS);
            assertThat(cursor.kind()).isEqualTo(CompletionKind.RDMA_WRITE);
            assertThat(cursor.qpNumber()).isEqualTo(pair.local().number());
            assertThat(cursor.lengthBytes()).isZero();
            assertThat(cursor.completion().workId()).isEqualTo(cursor.workId());
        });
        world.settle();
        assertThat(seen).containsExactly(ids(0, 400));
        assertThat(behind.getFirst()).isEqualTo(255);
        assertThat(behind.get(255)).isZero();
        assertThat(behind.get(256)).isEqualTo(400 - 256 - 1);
        write(pair, 400, 500);
        goOn();
        assertThat(seen).containsExactly(ids(0, 500));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRingOfTheReceivesSizeSufficesForAHandlerThatReposts(boolean onAdapterThread) {
        CompletionQueue cq = world.await(receiving.createCq(3));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from, QpDescription.rc(), into, QpDescription.rc().withRecvCq(cq)));
        CompletionReader reader = read(cq, onAdapterThread, cursor -> {
            note(cursor);
            if (seen.size() < 50) {
                pair.remote().postReceive(Receive.of(cursor.workId() + 3));
                pair.local().post(Send.of(cursor.workId() + 3));
                goOn();
            }
        });
        for (int i = 0; i < 3; i++) {
            pair.remote().postReceive(Receive.of(i));
            pair.local().post(Send.of(i));
        }
        world.runFor(Duration.ofSeconds(1));
        assertThat(seen).containsExactly(ids(0, 52));
        reader.close();
        assertThat(world.await(reader.ended())).isEqualTo(End.CLOSED);
    }

    @Test
    void aSlowHandlerOverrunsTheRingAndTheReaderFailsAtItsEnd() {
        CompletionQueue cq = world.await(sending.createCq(7));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        CompletionReader reader = cq.forEachCompletion(cursor -> {
            note(cursor);
            if (cursor.workId() == 0) {
                write(pair, 1, 12);
                goOn();
            }
        });
        write(pair, 0, 1);
        world.settle();
        assertThat(refusal(reader).errno()).isEqualTo(Errno.EIO);
        assertThat(seen).as("its place was free; the ring had seven more").containsExactly(ids(0, 8));
        assertThat(events).extracting(AsyncEvent::kind).contains(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
        assertThat(refusal(cq.forEachCompletion(this::note)).errno()).isEqualTo(Errno.EIO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void entriesNotShownToAClosedReaderAreReadByTheNextOne(boolean onAdapterThread) {
        CompletionQueue cq = world.await(sending.createCq(64));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        write(pair, 0, 20);
        goOn();
        AtomicReference<CompletionReader> itself = new AtomicReference<>();
        CompletionReader reader = read(cq, onAdapterThread, cursor -> {
            note(cursor);
            if (cursor.workId() == 4) {
                Objects.requireNonNull(itself.get()).close();
            }
        });
        itself.set(reader);
        assertThat(world.await(reader.ended())).isEqualTo(End.CLOSED);
        assertThat(seen).containsExactly(ids(0, 5));
        write(pair, 20, 25);
        goOn();
        read(cq, onAdapterThread, this::note);
        world.settle();
        assertThat(seen).containsExactly(ids(0, 25));
    }

    @Test
    void aReaderClosedAtOnceTakesNoEntry() {
        CompletionQueue cq = world.await(sending.createCq(64));
        write(senders(cq, 64), 0, 20);
        goOn();
        CompletionReader reader = cq.forEachCompletion(this::note);
        reader.close();
        reader.close();
        assertThat(world.await(reader.ended())).isEqualTo(End.CLOSED);
        assertThat(seen).isEmpty();
        assertThat(world.await(cq.poll(100))).hasSize(20);
    }

    @Test
    void aSecondReaderIsRefused() {
        CompletionQueue cq = world.await(sending.createCq(64));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        CompletionReader reader = cq.forEachCompletion(this::note);
        assertThat(refusal(cq.forEachCompletion(this::note)).errno()).isEqualTo(Errno.EBUSY);
        assertThat(refusal(cq.forEachCompletion(Delivery.ADAPTER_THREAD, this::note))
                        .errno())
                .isEqualTo(Errno.EBUSY);
        List<Throwable> refused = new ArrayList<>();
        cq.completions().subscribe(Subscribers.forEach(completion -> {}, refused::add));
        assertThatThrownBy(() -> world.await(cq.poll(1))).hasMessageContaining("is polled by a subscription");
        world.settle();
        assertThat(refused).hasSize(1);
        write(pair, 0, 10);
        goOn();
        assertThat(seen).containsExactly(ids(0, 10));
        reader.close();
        world.await(reader.ended());
        CompletionReader next = cq.forEachCompletion(this::note);
        write(pair, 10, 12);
        goOn();
        assertThat(seen).containsExactly(ids(0, 12));
        assertThat(next.ended().toCompletableFuture()).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionOfAHandlerEndsItsReaderAndLosesNoEntry(boolean onAdapterThread) {
        CompletionQueue cq = world.await(sending.createCq(64));
        write(senders(cq, 64), 0, 10);
        goOn();
        IllegalStateException mine = new IllegalStateException("mine");
        world.allowExceptions(IllegalStateException.class);
        CompletionReader reader = read(cq, onAdapterThread, cursor -> {
            note(cursor);
            if (cursor.workId() == 3) {
                throw mine;
            }
        });
        assertThatThrownBy(() -> world.await(reader.ended())).isSameAs(mine);
        assertThat(seen).containsExactly(ids(0, 4));
        assertThat(world.await(cq.poll(100))).extracting(WorkCompletion::workId).containsExactly(ids(4, 10));
    }

    @Test
    void aReaderEndsWithItsQueue() {
        CompletionQueue cq = world.await(sending.createCq(64));
        CompletionReader reader = cq.forEachCompletion(this::note);
        world.settle();
        world.await(cq.destroy());
        assertThat(world.await(reader.ended())).isEqualTo(End.QUEUE_DESTROYED);
        assertThat(refusal(cq.forEachCompletion(this::note)).errno()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void flushedCompletionsAreShownAsFlushed() {
        CompletionQueue cq = world.await(receiving.createCq(64));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from, QpDescription.rc(), into, QpDescription.rc().withRecvCq(cq)));
        for (int i = 0; i < 5; i++) {
            pair.remote().postReceive(Receive.of(i));
        }
        List<Status> how = new ArrayList<>();
        cq.forEachCompletion(cursor -> {
            note(cursor);
            how.add(cursor.status());
        });
        world.await(pair.local().submit(Send.of(0)));
        world.await(pair.remote().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(seen).containsExactly(ids(0, 5));
        assertThat(how.getFirst()).isEqualTo(Status.SUCCESS);
        assertThat(how.subList(1, 5)).containsOnly(Status.WR_FLUSH_ERR);
    }

    @Test
    void completionsOfAResetQueuePairAreNotShown() {
        CompletionQueue cq = world.await(sending.createCq(64));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        QpPair<RcQueuePair> other = senders(cq, 4);
        write(pair, 0, 4);
        goOn();
        write(other, 77, 78);
        goOn();
        cq.forEachCompletion(cursor -> {
            note(cursor);
            if (cursor.workId() == 0) {
                world.await(pair.local().modify(QpModify.to(QpState.RESET)));
            }
        });
        world.settle();
        assertThat(seen).containsExactly(0L, 77L);
        write(other, 78, 80);
        goOn();
        assertThat(seen).containsExactly(0L, 77L, 78L, 79L);
    }

    @Test
    void aResizeCountsEntriesInDeliveryButNoneShown() {
        CompletionQueue cq = world.await(sending.createCq(7));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        write(pair, 0, 4);
        goOn();
        cq.forEachCompletion(cursor -> {
            note(cursor);
            if (cursor.workId() == 0) {
                assertThatThrownBy(() -> world.await(cq.resize(1)))
                        .hasMessageContaining("can't be resized to 1 entries");
                world.await(cq.resize(3));
            }
        });
        world.settle();
        assertThat(cq.capacity()).isEqualTo(3);
        assertThat(seen).containsExactly(ids(0, 4));
    }

    @Test
    void aStageTakesItsCompletionPastTheReader() {
        CompletionQueue cq = world.await(sending.createCq(64));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        cq.forEachCompletion(this::note);
        write(pair, 0, 3);
        WorkCompletion staged = world.await(pair.local().submit(RdmaWrite.of(3, List.of(), new RemoteAddress(0, 0))));
        write(pair, 4, 6);
        goOn();
        assertThat(staged.workId()).isEqualTo(3);
        assertThat(seen).containsExactly(0L, 1L, 2L, 4L, 5L);
    }

    @Test
    void anArmedQueueReportsEntriesTakenByAReader() {
        CompletionChannel channel = world.await(sending.createChannel());
        CompletionQueue cq = world.await(sending.createCq(CqDescription.of(64).withChannel(channel)));
        List<CompletionQueue> woken = new ArrayList<>();
        channel.wakeups().subscribe(Subscribers.forEach(woken::add));
        cq.forEachCompletion(this::note);
        world.settle();
        cq.arm(CompletionQueue.Arm.ANY);
        write(senders(cq, 64), 0, 3);
        goOn();
        assertThat(woken).containsExactly(cq);
        assertThat(seen).containsExactly(ids(0, 3));
    }

    @Test
    void aCursorIsEmptyAfterItsHandlerReturned() {
        CompletionQueue cq = world.await(sending.createCq(64));
        List<CompletionCursor> kept = new ArrayList<>();
        List<WorkCompletion> taken = new ArrayList<>();
        cq.forEachCompletion(cursor -> {
            kept.add(cursor);
            taken.add(cursor.completion());
        });
        write(senders(cq, 64), 0, 2);
        goOn();
        assertThat(taken).extracting(WorkCompletion::workId).containsExactly(0L, 1L);
        assertThatThrownBy(kept.getFirst()::workId).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void equalSeedsGiveEqualBatches() {
        assertThat(batches()).isEqualTo(batches()).hasSizeGreaterThan(3);
    }

    private static List<Integer> batches() {
        List<Integer> behind = new ArrayList<>();
        try (World other = World.of(31)) {
            DeviceContext a = other.network()
                    .addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open();
            CompletionQueue cq = other.await(a.createCq(600));
            ProtectionDomain pd = a.allocatePd();
            QpPair<RcQueuePair> pair =
                    other.await(QpPair.connectRc(pd, QpDescription.rc().withSendCq(cq), pd, QpDescription.rc()));
            cq.forEachCompletion(cursor -> behind.add(cursor.remaining()));
            write(pair, 0, 50);
            other.settle();
        }
        return behind;
    }
}
