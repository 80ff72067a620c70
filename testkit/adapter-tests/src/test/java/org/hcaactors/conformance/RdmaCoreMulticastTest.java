// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's tests on multicast groups (tests/test_rdmacm.py). Both ends are in a world, which says when a datagram that nothing
 * answers has arrived.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#inWorlds")
class RdmaCoreMulticastTest {
    private static final int COUNT = 512;
    private static final int ROUNDS = 10;
    private static final Gid GROUP = Gid.ofIpv4(224, 168, 1, 2);
    private static final QKey QKEY = QKey.of(0x0123_4567);

    private final TwoEnds adapters;
    private final Side active;
    private final Side passive;

    RdmaCoreMulticastTest(Layout layout) {
        adapters = layout.open(61, Profile.CONNECTX_5);
        active = Side.of(adapters.network(), adapters.a(), "active", COUNT);
        passive = Side.of(adapters.network(), adapters.b(), "passive", 2 * COUNT);
    }

    @AfterEach
    void close() {
        adapters.close();
    }

    /** A queue pair for datagrams in RTS, with receives that complete in their own queue. */
    private UdQueuePair member(Side of, CompletionQueue arrivals) {
        UdQueuePair made =
                adapters.await(of.domain().createQp(QpDescription.ud().withRecvCq(arrivals)));
        adapters.await(made.activate(QKEY));
        adapters.await(made.attachMulticast(GROUP));
        return made;
    }

    /** Sends a datagram to the group; returns the completions of the receiver. */
    private List<WorkCompletion> toGroup(UdQueuePair from, UdQueuePair to, CompletionQueue arrivals) {
        var path = adapters.await(active.domain().createAddressHandle(AddressVector.to(GROUP)));
        LocalSlice here = active.slice(0, COUNT);
        to.postReceive(Receive.of(1, passive.slice(0, UdQueuePair.GRH_BYTES + COUNT)));
        UdAddress group = UdAddress.of(path, UdAddress.MULTICAST, QKEY);
        assertThat(adapters.await(from.submit(group, Send.of(1, here))).status())
                .isEqualTo(Status.SUCCESS);
        return adapters.polled(arrivals, 0);
    }

    // rule ud-multicast
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_multicast_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_ex_multicast_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_ex_leave_multicast_traffic")
    void aMemberOfAGroupReceivesUntilItLeaves() {
        CompletionQueue arrivals = adapters.await(passive.context().createCq(ROUNDS));
        UdQueuePair to = member(passive, arrivals);
        UdQueuePair from = member(active, adapters.await(active.context().createCq(ROUNDS)));
        for (byte round = 0; round < ROUNDS; round++) {
            active.memory().write(0, new byte[] {round});
            assertThat(toGroup(from, to, arrivals))
                    .extracting(WorkCompletion::status)
                    .containsExactly(Status.SUCCESS);
            assertThat(passive.memory().read(UdQueuePair.GRH_BYTES, 1)).containsExactly(round);
        }
        adapters.await(to.detachMulticast(GROUP));

        assertThat(toGroup(from, to, arrivals)).isEmpty();
    }
}
