// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
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
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A completion keeps its place in the ring, and its request or receive its slot, until it is delivered; {@code onNext} finds
 * both free, like a program that polled it. Here an {@code onNext} takes time, during which the world continues.
 */
class HandOutTest {
    private static final Duration A_WHILE = Duration.ofNanos(200_000);

    private final World world = World.of(23);
    private final DeviceContext sending =
            world.network().addAdapter("a", Profile.CONNECTX_5).process("app").open();
    private final DeviceContext receiving =
            world.network().addAdapter("b", Profile.CONNECTX_5).process("app").open();
    private final ProtectionDomain from = sending.allocatePd();
    private final ProtectionDomain into = receiving.allocatePd();
    private final List<AsyncEvent> events = new ArrayList<>();
    private final List<Long> seen = new ArrayList<>();

    /** Ways to end a queue pair whose entries are on their way. */
    enum End {
        RESET,
        DESTROY
    }

    HandOutTest() {
        sending.asyncEvents().subscribe(Subscribers.forEach(events::add));
        receiving.asyncEvents().subscribe(Subscribers.forEach(events::add));
    }

    @AfterEach
    void close() {
        world.close();
    }

    /** Requests everything, records what it gets, and runs the test's action with each. */
    private final class Reader implements Flow.Subscriber<WorkCompletion> {
        private final BiConsumer<WorkCompletion, Flow.Subscription> action;
        private Flow.@Nullable Subscription given;

        Reader(Consumer<WorkCompletion> action) {
            this((completion, subscription) -> action.accept(completion));
        }

        Reader(BiConsumer<WorkCompletion, Flow.Subscription> action) {
            this.action = action;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            given = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            seen.add(completion.workId());
            action.accept(completion, Objects.requireNonNull(given));
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }

    private void goOn() {
        world.runFor(A_WHILE);
    }

    private QpPair<RcQueuePair> senders(CompletionQueue cq, int length) {
        return world.await(QpPair.connectRc(
                from,
                        QpDescription.rc()
                                .withSendCq(cq)
                                .withCapacity(QpCapacity.DEFAULT
                                        .withMaxSendWr(length)
                                        .withMaxRecvWr(1)
                                        .withMaxSge(1)
                                        .withMaxInlineBytes(0)),
                into, QpDescription.rc()));
    }

    private static void write(QpPair<RcQueuePair> pair, long id) {
        pair.local().post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
    }

    /** Posts until the send queue is full, and returns the number posted. */
    private static int fill(QpPair<RcQueuePair> pair) {
        for (int i = 0; ; i++) {
            try {
                write(pair, i);
            } catch (VerbsException full) {
                assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
                return i;
            }
        }
    }

    private List<Long> poll(CompletionQueue cq) {
        return world.await(cq.poll(100)).stream().map(WorkCompletion::workId).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRingOfTheReceivesSizeSufficesWhenOnNextRepostsOne(boolean onAdapterThread) {
        CompletionQueue cq = world.await(receiving.createCq(3));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from, QpDescription.rc(), into, QpDescription.rc().withRecvCq(cq)));
        Reader reader = new Reader(completion -> {
            if (seen.size() < 50) {
                pair.remote().postReceive(Receive.of(completion.workId() + 3));
                pair.local().post(Send.of(completion.workId() + 3));
                goOn();
            }
        });
        cq.completions(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                .subscribe(reader);
        for (int i = 0; i < 3; i++) {
            pair.remote().postReceive(Receive.of(i));
            pair.local().post(Send.of(i));
        }
        world.runFor(Duration.ofSeconds(1));
        assertThat(events).isEmpty();
        assertThat(seen).hasSize(52);
    }

    @Test
    void aFullQueueAcceptsOneMoreRequestWithinOnNext() {
        CompletionQueue cq = world.await(sending.createCq(3));
        QpPair<RcQueuePair> pair = senders(cq, 2);
        List<Integer> taken = new ArrayList<>();
        cq.completions().subscribe(new Reader(completion -> {
            if (taken.size() < 20) {
                taken.add(fill(pair));
            }
        }));
        world.settle();
        assertThat(fill(pair)).isEqualTo(2);
        world.settle();
        assertThat(taken).hasSize(20).containsOnly(1);
    }

    @Test
    void fillingTheQueueNeverOverrunsARingOfItsSize() {
        CompletionQueue cq = world.await(sending.createCq(4));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        cq.completions().subscribe(new Reader(completion -> {
            for (int i = 0; i < 3 && seen.size() < 100; i++) {
                fill(pair);
                goOn();
            }
        }));
        world.settle();
        fill(pair);
        world.runFor(Duration.ofSeconds(1));
        assertThat(events).isEmpty();
        assertThat(pair.local().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aCancelledElementKeepsItsPlaceAndItsSlot() {
        CompletionQueue cq = world.await(sending.createCq(4));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        Reader reader = new Reader((completion, subscription) -> {
            subscription.cancel();
            goOn();
        });
        assertThat(fill(pair)).isEqualTo(4);
        goOn();
        cq.completions().subscribe(reader);
        world.settle();
        assertThat(seen).containsExactly(0L);
        assertThat(fill(pair)).as("only the one that was handed out is free").isEqualTo(1);
        goOn();
        assertThat(poll(cq)).containsExactly(1L, 2L, 3L, 0L);
        assertThat(fill(pair)).isEqualTo(4);
        assertThat(events).isEmpty();
    }

    @Test
    void elementsAfterAnExceptionAreReturned() {
        CompletionQueue cq = world.await(sending.createCq(4));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        fill(pair);
        goOn();
        world.allowExceptions(Exception.class);
        cq.completions()
                .subscribe(new Reader(completion -> HandOutTest.<RuntimeException>sneak(new Exception("mine"))));
        world.settle();
        assertThat(seen).containsExactly(0L);
        assertThat(poll(cq)).containsExactly(1L, 2L, 3L);
        assertThat(fill(pair)).isEqualTo(4);
    }

    /** Throws a checked exception as Kotlin code may. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private void end(QpPair<RcQueuePair> pair, End how) {
        world.await(
                switch (how) {
                    case RESET -> pair.local().modify(QpModify.to(QpState.RESET));
                    case DESTROY -> pair.local().destroy();
                });
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void completionsOfAnEndedQueuePairAreNotHandedOut(End how) {
        CompletionQueue cq = world.await(sending.createCq(10));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        QpPair<RcQueuePair> other = senders(cq, 4);
        fill(pair);
        goOn();
        write(other, 77);
        goOn();
        cq.completions().subscribe(new Reader(completion -> {
            if (completion.workId() == 0) {
                end(pair, how);
            }
        }));
        world.settle();
        assertThat(seen).containsExactly(0L, 77L);
        write(other, 78);
        write(other, 79);
        goOn();
        assertThat(seen).as("the demand for what was withdrawn is not lost").containsExactly(0L, 77L, 78L, 79L);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void cancelledElementsAreRemovedWithTheirQueuePair(End how) {
        CompletionQueue cq = world.await(sending.createCq(10));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        QpPair<RcQueuePair> other = senders(cq, 4);
        fill(pair);
        goOn();
        write(other, 77);
        goOn();
        Reader reader = new Reader((completion, subscription) -> subscription.cancel());
        cq.completions().subscribe(reader);
        world.settle();
        end(pair, how);
        assertThat(poll(cq)).containsExactly(77L);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void elementsInDeliveryWhenTheirQueuePairEndsAreNotReturned(End how) {
        CompletionQueue cq = world.await(sending.createCq(10));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        QpPair<RcQueuePair> other = senders(cq, 4);
        fill(pair);
        goOn();
        write(other, 77);
        goOn();
        Reader reader = new Reader((completion, subscription) -> {
            end(pair, how);
            subscription.cancel();
        });
        cq.completions().subscribe(reader);
        world.settle();
        assertThat(poll(cq)).containsExactly(77L);
    }

    @Test
    void undeliveredReceivesOfADestroyedQueuePairFreeTheirSlots() {
        CompletionQueue cq = world.await(receiving.createCq(10));
        SharedReceiveQueue srq = world.await(into.createSrq(SrqDescription.of(3).withMaxSge(1)));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from,
                QpDescription.rc(),
                into,
                QpDescription.rc().withRecvCq(cq).withSrq(srq)));
        for (int i = 0; i < 3; i++) {
            srq.postReceive(Receive.of(i));
            world.await(pair.local().submit(Send.of(i)));
        }
        Reader reader = new Reader((completion, subscription) -> {
            world.await(pair.remote().destroy());
            subscription.cancel();
        });
        cq.completions().subscribe(reader);
        world.settle();
        assertThat(poll(cq)).isEmpty();
        for (int i = 0; i < 3; i++) {
            srq.postReceive(Receive.of(i));
        }
        assertThatThrownBy(() -> srq.postReceive(Receive.of(3))).hasMessageContaining("is full");
    }

    @Test
    void anIgnoredOverrunFailsNothingWhileEveryEntryIsGranted() {
        CompletionQueue cq = world.await(sending.createCq(CqDescription.of(3).withIgnoreOverrun()));
        QpPair<RcQueuePair> pair = senders(cq, 64);
        for (int i = 0; i < 3; i++) {
            write(pair, i);
        }
        goOn();
        cq.completions().subscribe(new Reader(completion -> {
            if (completion.workId() == 0) {
                for (int i = 3; i < 20; i++) {
                    write(pair, i);
                }
                goOn();
                assertThat(world.await(pair.local().submit(RdmaWrite.of(20, List.of(), new RemoteAddress(0, 0))))
                                .isSuccess())
                        .as("a stage takes its entry at once")
                        .isTrue();
            }
        }));
        world.settle();
        assertThat(events).isEmpty();
        assertThat(pair.local().state()).isEqualTo(QpState.RTS);
        assertThat(seen).startsWith(0L, 1L, 2L);
        world.runFor(Duration.ofMillis(1));
        assertThat(fill(pair)).as("what was overwritten has freed its slots").isEqualTo(64);
    }

    @Test
    void aResizeCountsElementsInDeliveryButNoneHandedOut() {
        CompletionQueue cq = world.await(sending.createCq(7));
        QpPair<RcQueuePair> pair = senders(cq, 4);
        fill(pair);
        goOn();
        cq.completions().subscribe(new Reader(completion -> {
            if (completion.workId() == 0) {
                assertThatThrownBy(() -> world.await(cq.resize(1)))
                        .hasMessageContaining("can't be resized to 1 entries");
                world.await(cq.resize(3));
            }
        }));
        world.settle();
        assertThat(cq.capacity()).isEqualTo(3);
        assertThat(seen).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void elementsInDeliveryDuringAnOverrunAreHandedOut() {
        CompletionQueue cq = world.await(receiving.createCq(3));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from, QpDescription.rc(), into, QpDescription.rc().withRecvCq(cq)));
        for (int i = 0; i < 10; i++) {
            pair.remote().postReceive(Receive.of(i));
        }
        for (int i = 0; i < 3; i++) {
            world.await(pair.local().submit(Send.of(i)));
        }
        cq.completions().subscribe(new Reader(completion -> {
            if (completion.workId() == 0) {
                pair.local().post(Send.of(3));
                pair.local().post(Send.of(4));
                goOn();
            }
        }));
        goOn();
        assertThat(events).extracting(AsyncEvent::kind).contains(AsyncEvent.Kind.CQ_ERR);
        assertThat(seen).as("3 is in the place of 0").containsExactly(0L, 1L, 2L, 3L);
    }
}
