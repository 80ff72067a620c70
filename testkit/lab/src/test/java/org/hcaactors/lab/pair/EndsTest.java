// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends of any transport, through their common interface. */
class EndsTest {
    private static final int BYTES = 600;
    private static final long RECEIVES_AT = 4096;
    private static final int FIRST_PSN = 0x4711;

    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, World.DEFAULT_LINK);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, World.DEFAULT_LINK);

    @AfterEach
    void close() {
        world.close();
    }

    private Ends<?> between(Transport transport) {
        RcConnection attributes = RcConnection.DEFAULT.withFirstPsn(FIRST_PSN);
        return transport.between(world.network(), a, b, Shape.DEFAULT.with(attributes));
    }

    private void sends(End from, End to) {
        byte[] marked = MarkedBytes.of(from.qp().number(), BYTES);
        from.memory().write(0, marked);
        to.postReceive(Receive.of(2, to.slice(RECEIVES_AT, to.transport().headroomBytes() + BYTES)));
        world.settle();
        assertThat(world.await(from.submit(Send.of(1, from.slice(0, BYTES)))).status())
                .isEqualTo(Status.SUCCESS);
        world.settle();
        world.runToQuiet(java.time.Duration.ofSeconds(1));
        List<WorkCompletion> received = world.await(to.recvCq().poll(1));
        assertThat(received).singleElement().satisfies(came -> {
            assertThat(came.isSuccess()).isTrue();
            assertThat(came.workId()).isEqualTo(2);
        });
        assertThat(to.memory().read(RECEIVES_AT + to.transport().headroomBytes(), BYTES))
                .isEqualTo(marked);
    }

    @ParameterizedTest
    @EnumSource
    void bothEndsReceiveMessagesBehindTheHeadroom(Transport transport) {
        Ends<?> ends = between(transport);
        sends(ends.a(), ends.b());
        sends(ends.b(), ends.a());
    }

    @ParameterizedTest
    @EnumSource
    void aSharedQueueSuppliesReceivesIfTheTransportAllows(Transport transport) {
        Half left = Half.of(world.network(), a, Shape.DEFAULT);
        Half right = Half.of(world.network(), b, Shape.DEFAULT);
        SharedReceiveQueue srq = world.await(right.side().domain().createSrq(SrqDescription.DEFAULT));
        Half sharing = right.withSrq(srq);
        if (transport.sharesReceives()) {
            Ends<?> ends = transport.join(world.network(), left, sharing, RcConnection.DEFAULT);
            assertThat(ends.b().qp().srq()).contains(srq);
            sends(ends.a(), ends.b());
            sends(ends.b(), ends.a());
        } else if (transport == Transport.DC) { // the queue belongs to the target, which no queue pair's number names
            Ends<?> ends = transport.join(world.network(), left, sharing, RcConnection.DEFAULT);
            assertThat(ends.b().qp().srq()).isEmpty();
            sends(ends.a(), ends.b());
        } else {
            assertThatThrownBy(() -> transport.join(world.network(), left, sharing, RcConnection.DEFAULT))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnsupportedRequestIsRefusedWithTheSupportedOnes(Transport transport) {
        End end = between(transport).a();
        for (WorkRequest work : oneOfEach(end)) {
            if (transport.carries(work.getClass())) {
                world.await(end.submit(work));
            } else {
                assertThatThrownBy(() -> end.post(work))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageStartingWith("EOPNOTSUPP: " + transport + " carries no "
                                + work.getClass().getSimpleName() + "; allowed are Send");
                assertThatThrownBy(() -> end.submit(work)).isInstanceOf(VerbsException.class);
            }
        }
    }

    private List<WorkRequest> oneOfEach(End end) {
        return List.of(
                RdmaWrite.of(1, end.slice(0, 8), end.remote(0)),
                RdmaRead.of(2, end.slice(0, 8), end.remote(0)),
                FetchAdd.of(3, end.slice(0, 8), end.remote(0), 1),
                CompareAndSwap.of(4, end.slice(0, 8), end.remote(0), 1, 2));
    }

    @Test
    void everyTransportCarriesTheRequestsOfItsQueuePairs() {
        assertThat(carriedBy(Transport.RC))
                .containsExactlyInAnyOrder(
                        Send.class, RdmaWrite.class, RdmaRead.class, FetchAdd.class, CompareAndSwap.class);
        assertThat(carriedBy(Transport.UC)).containsExactlyInAnyOrder(Send.class, RdmaWrite.class);
        assertThat(carriedBy(Transport.UD)).containsExactly(Send.class);
    }

    private static Set<Class<?>> carriedBy(Transport transport) {
        return Set.copyOf(
                List.of(Send.class, RdmaWrite.class, RdmaRead.class, FetchAdd.class, CompareAndSwap.class).stream()
                        .filter(transport::carries)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void connectionsStartWithThePsnOfTheirAttributes(Transport transport) {
        Ends<?> ends = between(transport);
        sends(ends.a(), ends.b());
        assertThat(world.trace().events().stream()
                        .filter(FabricEvent.Sent.class::isInstance)
                        .map(event -> ((FabricEvent.Sent) event).packet().psn()))
                .first()
                .isEqualTo(FIRST_PSN);
    }

    @Test
    void onlyUcAndUdMayLoseMessages() {
        assertThat(Arrays.stream(Transport.values()).filter(each -> !each.isReliable()))
                .containsExactly(Transport.UC, Transport.UD);
    }

    /** As posting has it: what may be asked of a queue pair is what its opcodes say. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    void aSendWithInvalidateNeedsATransportWithThatOpcode(Transport transport) {
        Ends<?> ends = between(transport);
        Send invalidates = Send.of(1).withInvalidate(0x100);
        if (transport.carriesInvalidates()) {
            ends.a().post(invalidates);
        } else {
            assertThatThrownBy(() -> ends.a().post(invalidates)).hasMessageContaining("a SEND with invalidate");
        }
    }

    @Test
    void endsOfOneSideShareItsMemoryAndQueues() {
        Half left = Half.of(world.network(), a, Shape.DEFAULT);
        Half right = Half.of(world.network(), b, Shape.DEFAULT);
        List<Ends<?>> all = Arrays.stream(Transport.values())
                .<Ends<?>>map(each -> each.join(world.network(), left, right, RcConnection.DEFAULT))
                .toList();
        assertThat(all).allSatisfy(ends -> {
            assertThat(ends.b().region()).isSameAs(right.side().region());
            assertThat(ends.b().recvCq()).isEqualTo(right.recvCq().orElseThrow());
        });
        assertThat(all.stream().map(ends -> ends.b().qp()).map(QueuePair::number))
                .doesNotHaveDuplicates();
        all.forEach(ends -> sends(ends.a(), ends.b()));
    }

    /** Both queue pairs were in use before; each side connects its own. */
    @Test
    void aQueuePairIsConnectedToARemotePeersNumber() {
        ConnectedPair pair = world.connect(a, b);
        RcConnection attributes = RcConnection.DEFAULT.withSendPsn(1).withReceivePsn(2);
        RcQueuePair one = pair.a().qp();
        RcQueuePair other = pair.b().qp();
        assertThatThrownBy(() -> world.await(one.connect(b.gid(), other.number(), attributes)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        world.await(one.modify(QpModify.to(QpState.RESET)));
        world.await(other.modify(QpModify.to(QpState.RESET)));
        world.await(one.connect(b.gid(), other.number(), attributes));
        assertThat(one.gid()).isEqualTo(a.gid());
        world.await(other.connect(one.gid(), one.number(), attributes.reversed()));
        sends(pair.a(), pair.b());
        sends(pair.b(), pair.a());
    }

    @Test
    void anEndIsLabelledAsInLadders() {
        ConnectedPair pair = world.connect(a, b);
        assertThat(pair.b().label()).isEqualTo("b/qp" + pair.b().qp().number());
    }
}
