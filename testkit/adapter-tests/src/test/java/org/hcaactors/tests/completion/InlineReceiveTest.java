// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Data in completions, from the sender's memory to the program that polls. */
class InlineReceiveTest {
    private static final byte[] DATA = MarkedBytes.of(5, 32);

    private final InlineSetup ground = new InlineSetup(47);
    private final World world = ground.world;
    private final RcEnd a = ground.a;
    private final RcEnd b = ground.b;

    InlineReceiveTest() {
        a.memory().write(0, DATA);
        b.memory().write(1024, DATA);
        b.memory().writeLong(1056, 6);
        b.memory().writeLong(1064, 7);
        ground.guard();
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private Send send(int count) {
        return Send.of(1, a.slice(0, count));
    }

    private byte[] at(RcEnd end, long offset, int count) {
        return end.memory().read(offset, count);
    }

    private WorkCompletion polled(RcEnd end) {
        return ground.poll(end.recvCq());
    }

    private static WorkCompletion failed(RcEnd end, long id, Status status) {
        return WorkCompletion.of(id, status, CompletionKind.RECV, end.qp().number(), 0, OptionalInt.empty());
    }

    // rules inline-poll, inline-receive
    @Test
    void aReceivesDataAreWrittenWhenItsCompletionIsPolled() {
        ground.send(Receive.of(9, b.slice(100, 20), b.slice(200, 30)), send(32));
        assertThat(ground.poll(a.sendCq()).status()).as("it has arrived").isEqualTo(Status.SUCCESS);
        assertThat(at(b, 0, 1024)).containsOnly(0);
        WorkCompletion received = polled(b);
        assertThat(received.status()).isEqualTo(Status.SUCCESS);
        assertThat(received.lengthBytes()).isEqualTo(32);
        assertThat(at(b, 100, 20)).isEqualTo(MarkedBytes.of(5, 20));
        assertThat(at(b, 200, 12)).isEqualTo(Arrays.copyOfRange(DATA, 20, 32));
        assertThat(at(b, 212, 100)).containsOnly(0);
    }

    // rule inline-poll
    @Test
    void aSubscriberFindsTheDataOfDeliveredCompletionsOnly() {
        List<String> seen = new ArrayList<>();
        ManualSubscriber hand = new ManualSubscriber(
                completion -> seen.add(completion.workId() + ": " + at(b, 100, 1)[0] + " " + at(b, 200, 1)[0]));
        b.recvCq().completions().subscribe(hand);
        ground.send(Receive.of(8, b.slice(100, 32)), Send.of(1, a.slice(7, 1)));
        ground.send(Receive.of(9, b.slice(200, 32)), Send.of(2, a.slice(7, 1)));
        assertThat(seen).isEmpty();
        assertThat(at(b, 0, 1024)).containsOnly(0);
        hand.ask(1);
        world.settle();
        assertThat(seen).containsExactly("8: 5 0");
        assertThat(at(b, 200, 1)).containsOnly(0);
        hand.ask(1);
        world.settle();
        assertThat(seen).containsExactly("8: 5 0", "9: 5 5");
    }

    /** Subscriber that requests as many as the test wants. */
    private static final class ManualSubscriber implements Flow.Subscriber<WorkCompletion> {
        private final Consumer<WorkCompletion> action;
        private Flow.@Nullable Subscription subscription;
        private long early;

        ManualSubscriber(Consumer<WorkCompletion> action) {
            this.action = action;
        }

        void ask(long count) {
            if (subscription == null) {
                early += count;
            } else {
                subscription.request(count);
            }
        }

        @Override
        public void onSubscribe(Flow.Subscription granted) {
            subscription = granted;
            if (early > 0) {
                granted.request(early);
            }
        }

        @Override
        public void onNext(WorkCompletion completion) {
            action.accept(completion);
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {}
    }

    // rules inline-results, inline-poll
    @Test
    void resultsAreWrittenWhenTheirCompletionsArePolled() {
        a.post(RdmaRead.of(1, a.slice(300, 32), b.remote(1024)));
        a.post(FetchAdd.of(2, a.slice(400, 8), b.remote(1056), 1));
        a.post(CompareAndSwap.of(3, a.slice(500, 8), b.remote(1064), 0, 1));
        world.settle();
        assertThat(at(a, 300, 300)).containsOnly(0);
        assertThat(ground.poll(a.sendCq()).kind()).isEqualTo(CompletionKind.RDMA_READ);
        assertThat(at(a, 300, 32)).isEqualTo(DATA);
        assertThat(at(a, 400, 200)).containsOnly(0);
        assertThat(ground.poll(a.sendCq()).kind()).isEqualTo(CompletionKind.FETCH_ADD);
        assertThat(a.memory().readLong(400)).isEqualTo(6);
        assertThat(ground.poll(a.sendCq()).kind()).isEqualTo(CompletionKind.COMP_SWAP);
        assertThat(a.memory().readLong(500)).isEqualTo(7);
    }

    // rule inline-poll
    @Test
    void aStageCompletesWithItsResultInPlace() {
        CompletionStage<byte[]> seen =
                a.submit(RdmaRead.of(1, a.slice(300, 32), b.remote(1024))).thenApply(done -> at(a, 300, 32));
        assertThat(world.await(seen)).isEqualTo(DATA);
    }

    // rule inline-poll
    @Test
    void dataNotPolledBeforeAResetAreNeverCopied() {
        ground.send(Receive.of(9, b.slice(100, 32)), send(32));
        world.await(b.qp().modify(QpModify.to(QpState.RESET)));
        assertThat(world.await(b.recvCq().poll(9))).isEmpty();
        assertThat(at(b, 0, 1024)).containsOnly(0);
    }

    // rule inline-poll
    @Test
    void theReceivesSlotIsFreeWhenTheDataIsCopied() {
        for (int i = 0; i < 3 * b.qp().capacity().maxRecvWr(); i++) {
            ground.send(Receive.of(i, b.slice(100, 32)), send(8));
            assertThat(polled(b).workId()).isEqualTo(i);
            ground.poll(a.sendCq());
        }
        assertThat(at(b, 100, 8)).isEqualTo(MarkedBytes.of(5, 8));
    }

    // rule inline-receive
    @Test
    void receivesOfASharedQueueGetInlineData() {
        SharedReceiveQueue srq = world.await(b.domain().createSrq(8));
        CompletionQueue queue = world.await(b.context().createCq(10));
        Ends<RcEnd> ends = RcEnd.connect(
                world.network(),
                Half.on(a.side()),
                Half.on(b.side()).withSrq(srq).withRecvCq(queue).withInlineReceives(),
                RcConnection.DEFAULT);
        assertThat(ends.b().qp().capacity().maxInlineReceiveBytes()).isEqualTo(32);
        srq.postReceive(Receive.of(9, b.slice(100, 64)));
        srq.postReceive(Receive.of(10, new LocalSlice(b.region().lkey(), 64, 64)));
        for (int i = 0; i < 2; i++) {
            assertThat(world.await(ends.a().submit(send(16))).status()).isEqualTo(Status.SUCCESS);
        }
        assertThat(at(b, 100, 64)).containsOnly(0);
        assertThat(ground.poll(queue).status()).isEqualTo(Status.SUCCESS);
        assertThat(at(b, 100, 16)).isEqualTo(MarkedBytes.of(5, 16));
        assertThat(ground.poll(queue)).isEqualTo(failed(ends.b(), 10, Status.LOC_PROT_ERR));
    }

    // rule inline-keys
    @Test
    void shortMessagesArriveUnderADeregisteredKey() {
        MemoryRegion brief = world.await(b.domain().register(b.memory()));
        LocalSlice slice = brief.slice(100, 64);
        world.await(brief.deregister());
        ground.send(Receive.of(9, slice), send(16));
        assertThat(polled(b).status()).isEqualTo(Status.SUCCESS);
        assertThat(at(b, 100, 16)).isEqualTo(MarkedBytes.of(5, 16));
        ground.send(Receive.of(10, slice), Send.of(2, a.slice(0, 33)));
        assertThat(polled(b)).as("what is longer needs it").isEqualTo(failed(b, 10, Status.LOC_PROT_ERR));
        assertThat(b.qp().state()).isEqualTo(QpState.ERR);
    }

    // rule inline-too-long
    @Test
    void aMessageLongerThanItsReceiveFailsOnlyThatReceive() {
        ground.send(Receive.of(9, b.slice(100, 15)), send(16));
        assertThat(ground.poll(a.sendCq()).status()).isEqualTo(Status.SUCCESS);
        assertThat(polled(b)).isEqualTo(failed(b, 9, Status.LOC_LEN_ERR));
        assertThat(at(b, 0, 1024)).containsOnly(0);
        goesOn();
    }

    // rule inline-unmapped
    @Test
    void memoryUnmappedBeforeThePollFailsOnlyThatCompletion() {
        HostMemory brief = b.context().process().allocate(64);
        MemoryRegion region = world.await(b.domain().register(brief));
        ground.send(Receive.of(9, region.slice(0, 64)), send(16));
        world.await(region.deregister());
        world.await(brief.closeAsync());
        assertThat(polled(b)).isEqualTo(failed(b, 9, Status.LOC_PROT_ERR));
        goesOn();
    }

    // rule inline-unmapped
    @Test
    void anUnmappedAddressIsAProtectionErrorForAllReaders() {
        LocalSlice nowhere = new LocalSlice(b.region().lkey(), 16, 64);
        List<WorkCompletion> seen = new ArrayList<>();
        b.recvCq().completions().subscribe(Subscribers.forEach(seen::add));
        ground.send(Receive.of(9, nowhere), send(16));
        ground.send(Receive.of(10, b.slice(100, 64)), send(16));
        assertThat(seen)
                .extracting(WorkCompletion::workId, WorkCompletion::status)
                .containsExactly(tuple(9L, Status.LOC_PROT_ERR), tuple(10L, Status.SUCCESS));
        RdmaRead read = RdmaRead.of(3, new LocalSlice(a.region().lkey(), 16, 8), b.remote(1024));
        assertThat(world.await(a.submit(read)).status()).isEqualTo(Status.LOC_PROT_ERR);
        assertThat(a.qp().state()).isEqualTo(QpState.RTS);
    }

    private void goesOn() {
        ground.send(Receive.of(11, b.slice(600, 32)), send(8));
        assertThat(polled(b).status()).isEqualTo(Status.SUCCESS);
        assertThat(at(b, 600, 8)).isEqualTo(MarkedBytes.of(5, 8));
        assertThat(b.qp().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void theTraceReportsInlineDataAndTheirCopying() {
        ground.send(Receive.of(9, b.slice(100, 20), b.slice(200, 30)), send(32));
        world.runFor(Duration.ofMillis(1));
        polled(b);
        List<HcaEvent.InlineReceived> carried = events(HcaEvent.InlineReceived.class);
        assertThat(carried)
                .singleElement()
                .satisfies(event -> assertThat(event.bytes().length()).isEqualTo(32));
        assertThat(events(HcaEvent.InlineCopied.class)).hasSize(2).allSatisfy(copy -> {
            assertThat(copy.stamp().cause())
                    .isEqualTo(carried.getFirst().stamp().id());
            assertThat(copy.stamp().nanos() - carried.getFirst().stamp().nanos())
                    .isGreaterThanOrEqualTo(1_000_000);
        });
        assertThat(events(HcaEvent.MemoryWritten.class)).isEmpty();
    }

    private <E> List<E> events(Class<E> kind) {
        return world.trace().events().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
