// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The uplink of a node between its fabric and another node, both played by probes. */
class UplinkActorTest {
    private static final long SELF = 7;
    private static final long OTHER = 8;
    private static final int EVENT = 99;
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final ActorTestKit kit = ActorTestKit.create();
    private final TestProbe<FabricActor.Command> fabric = kit.createTestProbe();
    private final TestProbe<UplinkActor.Command> other = kit.createTestProbe();
    private final UplinkCounters<ClusterCounter> counters =
            new UplinkCounters<>(ClusterCounter.class, ClusterCounter::text);
    private final ActorRef<UplinkActor.Command> uplink = kit.spawn(
            UplinkActor.create(SELF, new FabricReference(fabric.getRef(), new Epoch()), System::nanoTime, counters));

    @AfterEach
    void shutdown() {
        kit.shutdownTestKit();
    }

    private void publishOther() {
        String reference = ActorRefResolver.get(kit.system()).toSerializationFormat(other.getRef());
        Place place = new Place(Packets.address(2), OTHER, 1, "b", true, reference);
        uplink.tell(new UplinkActor.Changed(Directory.of(List.of(place), SELF)));
    }

    private void leave(int psn) {
        Carried carried = Packets.carried(psn);
        uplink.tell(new UplinkActor.Leaving(List.of(new Outgoing(carried, OptionalLong.of(EVENT), Optional.empty()))));
    }

    /** Returns the next message of that kind; others before it are skipped. */
    private static <M, T extends M> T first(TestProbe<M> probe, Class<T> kind) {
        List<M> messages = probe.fishForMessage(
                LONGEST,
                message -> kind.isInstance(message) ? FishingOutcomes.complete() : FishingOutcomes.continueAndIgnore());
        return kind.cast(messages.getFirst());
    }

    private String lost() {
        return first(fabric, FabricActor.NotSent.class).reason();
    }

    // rule cluster-hello
    @Test
    void aNodeIsGreetedAndReceivesPacketsAfterItsWelcome() {
        publishOther();
        leave(1);
        NodeMessage.Hello hello = other.expectMessageClass(NodeMessage.Hello.class);
        assertThat(hello.from()).isEqualTo(SELF);
        hello.replyTo().tell(new NodeMessage.Welcome(OTHER, 10));
        NodeMessage.Train train = first(other, NodeMessage.Train.class);
        assertThat(train.packets()).containsExactly(Packets.carried(1));
    }

    // rule cluster-hello
    @Test
    void aNodeOfOtherVersionsIsRefusedWithTheReason() {
        uplink.tell(new NodeMessage.Hello(OTHER, 2, 3, other.getRef()));
        NodeMessage.Refusal refusal = other.expectMessageClass(NodeMessage.Refusal.class);
        assertThat(refusal.reason()).isEqualTo("it understands versions 1 to 1 of the fabric's messages, not 2 to 3");
        assertThat(counters.byName()).containsEntry("refused_version", 1L);
    }

    // rule cluster-hello
    @Test
    void packetsToANodeThatRefusesAreLostWithTheReason() {
        publishOther();
        leave(1);
        other.expectMessageClass(NodeMessage.Hello.class);
        uplink.tell(new NodeMessage.Refusal(OTHER, "too old"));
        assertThat(lost()).isEqualTo("the node of that address refuses them: too old");
        leave(2);
        assertThat(lost()).isEqualTo("the node of that address refuses them: too old");
        other.expectNoMessage();
    }

    // rule cluster-directory
    @Test
    void packetsToAnUnknownAddressAreLost() {
        leave(1);
        assertThat(lost()).isEqualTo("no node has that address");
        assertThat(counters.byName()).containsEntry("tx_no_node", 1L);
    }

    // rule cluster-directory
    @Test
    void packetsThatWaitForANodeAreLostWhenItLeaves() {
        publishOther();
        leave(1);
        uplink.tell(new UplinkActor.Left(OTHER));
        assertThat(lost()).isEqualTo("the node of that address has left");
    }

    // rule wire-back-pressure
    @Test
    void theSenderOfALostPacketGetsItsCreditBack() {
        Sender sender = new Sender();
        uplink.tell(new UplinkActor.Leaving(sender.outgoing(64)));
        assertThat(lost()).isEqualTo("no node has that address");
        await().atMost(LONGEST).untilAsserted(() -> assertThat(sender.credits()).isEqualTo(64));
    }

    // rules cluster-hello, cluster-window
    @Test
    void aTrainWithoutAHelloIsDroppedAndOneAfterItIsGranted() {
        uplink.tell(new NodeMessage.Train(OTHER, 0, Packets.carried(0, 3)));
        uplink.tell(new NodeMessage.Hello(OTHER, 1, 1, other.getRef()));
        uplink.tell(new NodeMessage.Train(OTHER, 2, Packets.carried(0, 3)));
        uplink.tell(new NodeMessage.Probe(OTHER, 6));
        NodeMessage.Grant grant = first(other, NodeMessage.Grant.class);
        assertThat(grant.consumed()).isEqualTo(6);
        assertThat(counters.byName()).containsEntry("rx_packets", 3L).containsEntry("rx_gaps", 3L);
    }
}
