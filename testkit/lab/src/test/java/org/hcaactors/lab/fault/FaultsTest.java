// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.lab.assertion.RdmaAssertions;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.views.flow.TestkitEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault in turn: it strikes its target, is recorded in the trace, and RC recovers where it can. */
class FaultsTest extends StruckPair {
    @Test
    void aDroppedAcknowledgementIsRepairedByOneRetransmission() {
        world.faults().on(packet().ack().from(b)).first().drop();
        assertThat(write(64).isSuccess()).isTrue();
        RdmaAssertions.assertThat(world.trace()).retransmissions().hasSize(1);
        RdmaAssertions.assertThat(world.trace()).lostPackets().hasSize(1);
        assertThat(world.faults().firings())
                .singleElement()
                .satisfies(firing -> assertThat(firing.what()).startsWith("ACK psn 0 msn 1 of b/qp"));
    }

    @Test
    void everyAckOfAPsnCanBeDropped() {
        world.faults().on(packet().ack().psn(0).from(b)).drop();
        assertThat(write(64).status()).as("eight sendings, eight lost ACKs").isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(world.faults().firings()).hasSize(8);
    }

    @Test
    void triggersCountTheMatchingPackets() {
        world.faults().on(packet().opcode(Opcode.RC_WRITE_MIDDLE)).nth(2).drop();
        world.faults().on(packet().opcode(Opcode.RC_WRITE_LAST)).every(2).delay(Duration.ofNanos(100));
        assertThat(write(5000).isSuccess()).isTrue();
        assertThat(world.faults().firings().getFirst().what()).contains("psn 2");
        assertThat(world.faults().firings().get(1).match()).isEqualTo(2);
    }

    // rule wire-icrc-drop
    @ParameterizedTest
    @EnumSource(BitFlip.Where.class)
    void aCorruptedPacketIsDroppedByItsReceiverAndCounted(BitFlip.Where where) {
        world.faults().on(packet().write()).first().act(new PacketAction.Corrupt(where));
        assertThat(write(64).isSuccess()).isTrue();
        assertThat(b.counters()).containsEntry("rx_icrc_encapsulated", 1L);
        assertThat(world.trace().of(FabricEvent.Corrupted.class)).hasSize(1);
    }

    @Test
    void aDuplicateIsDeliveredTwiceAndExecutedOnce() {
        world.faults().on(packet().write()).first().duplicate(Duration.ofNanos(500));
        assertThat(write(64).isSuccess()).isTrue();
        world.settle();
        world.runFor(Duration.ofNanos(10_000));
        assertThat(b.counters()).containsEntry("duplicate_request", 1L);
    }

    // rule rc-nak-once
    @Test
    void aReorderedPacketArrivesLateAndCausesANak() {
        world.faults().on(packet().opcode(Opcode.RC_WRITE_FIRST)).first().reorder(2);
        assertThat(write(4000).isSuccess()).isTrue();
        assertThat(b.counters().get("out_of_sequence")).isPositive();
    }

    @Test
    void aReceiverAnswersRnrThreeTimes() {
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        world.faults().now().answerRnr(b, pair.b().qp(), 3);
        assertThat(world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64))))
                        .isSuccess())
                .isTrue();
        RdmaAssertions.assertThat(world.trace())
                .packets(packet().rnrNak().from(b))
                .hasSize(3);
        assertThat(a.counters()).containsEntry("rnr_nak_retry_err", 3L);
    }

    @Test
    void aPulledCableRaisesPortErrAndPortActiveAfterwards() {
        List<AsyncEvent> events = new ArrayList<>();
        pair.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
        world.settle();
        world.faults().after(Duration.ofNanos(500)).unplug(b, Duration.ofNanos(200_000));
        assertThat(write(64).isSuccess()).isTrue();
        assertThat(events)
                .extracting(AsyncEvent::kind)
                .containsExactly(AsyncEvent.Kind.PORT_ERR, AsyncEvent.Kind.PORT_ACTIVE);
    }

    @Test
    void aPartitionDropsPacketsInBothDirectionsWhileItLasts() {
        world.faults().now().partition(Duration.ofNanos(100_000), a);
        assertThat(write(64).isSuccess()).isTrue();
        assertThat(world.faults().firings())
                .isNotEmpty()
                .allSatisfy(firing -> assertThat(firing.nanos()).isLessThan(100_000));
        assertThat(world.now()).isGreaterThan(100_000);
    }

    @Test
    void lossCanBeInOneDirectionOnly() {
        world.faults().on(packet().from(a)).withProbability(1).drop();
        assertThat(write(64).status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(world.await(pair.b()
                                .qp()
                                .submit(RdmaWrite.of(
                                        1, pair.b().slice(0, 8), pair.a().remote(0))))
                        .status())
                .as("its requests arrive, but the answers don't")
                .isEqualTo(Status.RETRY_EXC_ERR);
    }

    @Test
    void aLinkCanBecomeSlow() {
        assertThat(write(64).isSuccess()).isTrue();
        long before = world.now();
        world.faults().now().link(a, LinkProperties.of(20_000, 1_000_000_000L));
        world.settle();
        assertThat(write(64).isSuccess()).isTrue();
        assertThat(world.now() - before).isGreaterThan(20_000);
    }

    // rule event-crash
    @Test
    void aCrashedQueuePairFlushesAndItsPeerTimesOut() {
        world.faults().now().crash(b, pair.b().qp());
        assertThat(write(64).status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
    }

    // rule event-crash
    @Test
    void aCrashedCompletionQueueTakesItsQueuePairsWithIt() {
        world.faults().now().crash(b, pair.b().recvCq());
        world.settle();
        assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
    }

    // rule event-crash
    @Test
    void aCrashedTranslatorTakesItsKeyAway() {
        world.faults().now().crash(b, pair.b().region());
        world.settle();
        assertThat(write(64).status()).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule event-crash
    @Test
    void aCrashedAdapterFailsEveryQueuePair() {
        world.faults().now().crash(b);
        world.settle();
        assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
        assertThat(write(64).status()).isEqualTo(Status.RETRY_EXC_ERR);
    }

    @Test
    void aMachineAfterAPowerCycleIsEmptyAndUsable() {
        world.faults().now().powerCycle(b, Duration.ofMillis(1));
        assertThat(write(64).status()).isEqualTo(Status.RETRY_EXC_ERR);
        world.runFor(Duration.ofMillis(2));
        assertThat(b.port(1).active()).isTrue();
        ConnectedPair fresh = world.connect(a, b);
        assertThat(world.await(fresh.a()
                                .qp()
                                .submit(RdmaWrite.of(
                                        1, fresh.a().slice(0, 8), fresh.b().remote(0))))
                        .isSuccess())
                .isTrue();
    }

    @Test
    void aKilledProcessIsClosedInOrder() {
        world.faults().now().kill(b, "app");
        world.settle();
        assertThat(world.network().leaks().leaks())
                .allSatisfy(leak -> assertThat(leak.toString()).doesNotContain("b/"));
        assertThat(write(64).status()).isEqualTo(Status.RETRY_EXC_ERR);
    }

    // rule pages-fragment
    @Test
    void aFragmentedHostAllocatesSmallerBlocks() {
        Registration requested = Registration.allocated(1 << 20);
        assertThat(world.await(pair.b().domain().register(requested)).pages().entries())
                .isEqualTo(1);
        world.faults().now().fragment(b, 32 << 10);
        assertThat(world.await(pair.b().domain().register(requested)).pages().entries())
                .isEqualTo(32);
        assertThat(world.await(pair.a().domain().register(requested)).pages().entries())
                .as("each host has its own")
                .isEqualTo(1);
    }

    @Test
    void aLostWakeUpIsNeverDelivered() {
        CompletionChannel channel = world.await(pair.b().context().createChannel());
        CompletionQueue cq =
                world.await(pair.b().context().createCq(CqDescription.of(10).withChannel(channel)));
        QpPair<RcQueuePair> other = world.await(QpPair.connectRc(
                pair.a().domain(),
                QpDescription.rc(),
                pair.b().domain(),
                QpDescription.rc().withRecvCq(cq)));
        world.faults().loseWakeup(b, cq, new Trigger.Nth(1));
        other.remote().postReceive(Receive.of(1, pair.b().slice(0, 8)));
        cq.arm(CompletionQueue.Arm.ANY);
        CompletionStage<CompletionQueue> wakeup = channel.next();
        world.await(other.local().submit(Send.of(1, pair.a().slice(0, 8))));
        world.settle();
        assertThat(wakeup.toCompletableFuture()).isNotDone();
        assertThat(world.faults().firings()).hasSize(1);
    }

    @Test
    void aStalledSubscriberTakesNothingUntilItResumes() {
        List<WorkCompletion> seen = new ArrayList<>();
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(seen::add));
        world.settle();
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 8)));
        world.faults().now().stallSubscriber(b, pair.b().recvCq(), Duration.ofNanos(50_000));
        world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 8))));
        world.settle();
        assertThat(seen).isEmpty();
        world.runFor(Duration.ofNanos(60_000));
        assertThat(seen).hasSize(1);
    }

    @Test
    void aSlowSubscriberTakesOneElementEachPause() {
        List<Long> seenAt = new ArrayList<>();
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(wc -> seenAt.add(world.now())));
        world.settle();
        for (int i = 0; i < 3; i++) {
            pair.b().qp().postReceive(Receive.of(i, pair.b().slice(0, 8)));
        }
        world.faults().now().slowSubscriber(b, pair.b().recvCq(), Duration.ofNanos(10_000), Duration.ofNanos(50_000));
        for (int i = 0; i < 3; i++) {
            world.await(pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8))));
            world.runFor(Duration.ofNanos(9_000));
        }
        world.runFor(Duration.ofNanos(60_000));
        assertThat(seenAt).hasSize(3).allSatisfy(at -> assertThat(at % 10_000).isIn(9_999L, 0L));
        assertThatThrownBy(() -> world.faults()
                        .now()
                        .slowSubscriber(b, pair.b().recvCq(), Duration.ofNanos(1), Duration.ofNanos(5)))
                .hasMessageContaining("1 to 1000 pauses");
    }

    /** Times of sending and arrival of each packet. */
    @Test
    void stoppedFaultsDoNotStrikeLaterThoughMoreAreArmed() {
        world.faults().after(Duration.ofNanos(1000)).unplug(b);
        world.faults().stop();
        world.faults().on(packet().ack()).nth(99).drop();
        world.runFor(Duration.ofNanos(2000));
        assertThat(b.port(1).active()).isTrue();
    }

    @Test
    void aFaultAtAnUnknownAdapterIsRefusedByName() {
        assertThatThrownBy(() -> world.faults().arm(new Fault.Kill(Duration.ZERO, "nobody", "app")))
                .hasMessage("this world has no adapter nobody");
    }

    @Test
    void everyStrikeIsInTheTrace() {
        world.faults().now().crash(b, pair.b().qp());
        assertThat(world.trace().of(TestkitEvent.class))
                .singleElement()
                .satisfies(event -> assertThat(event.what())
                        .startsWith("crash b/qp-" + pair.b().qp().number()));
    }
}
