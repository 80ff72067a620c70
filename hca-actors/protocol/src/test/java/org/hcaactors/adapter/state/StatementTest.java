// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.uc.UcTest;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** A queue pair's report of what it holds and waits for. */
class StatementTest {
    private static Reth reth(Side side, int bytes) {
        return new Reth(side.memory.address(), Side.KEY, bytes);
    }

    @Test
    void requestsCountAsWaitingThenStartedThenCompleted() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.lets = (from, packet) -> false;
        for (int i = 3; i < 7; i++) {
            rig.a.post(rig.write(i, 8));
        }
        rig.a.machine.transmit(1, rig.a.at(rig.now));
        ResourceSnapshot.Queues queues = new ResourceSnapshot.Queues(4, 5);
        ResourceSnapshot.QueuePair says =
                rig.a.machine.report().snapshot("a", 10, 7, new ResourceSnapshot.Slots(0, 0), queues);
        assertThat(says.waiting())
                .as("three, and ten that are not yet in the machine")
                .isEqualTo(13);
        assertThat(says.started()).isOne();
        assertThat(says.credits()).isEqualTo(7);
        assertThat(says.leases()).containsExactly(Side.KEY);
        assertThat(says.state()).isEqualTo(QpState.RTS);
        assertThat(says.pending().deadline()).isEqualTo(rig.nextDeadline());
    }

    @Test
    void answersArePendingUntilTheyAreSent() {
        Rig rig = new Rig();
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 8));
        assertThat(rig.b.snapshot().pending().pendingResponses()).isOne();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig.b, 8));
        assertThat(rig.b.snapshot().pending().pendingResponses()).isEqualTo(2);
        rig.run();
        assertThat(rig.b.snapshot().pending().pendingResponses()).isZero();
    }

    @Test
    void packetsOfBothDirectionsAreHeldUntilTheirLeaseIsGranted() {
        Rig rig = new Rig();
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.answersLeases = false;
        rig.a.post(rig.read(1, 8));
        rig.run();
        assertThat(rig.a.snapshot().pending().heldPackets()).isOne();
        rig.inject(rig.a, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.a, 8));
        rig.inject(rig.a, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig.a, 8));
        assertThat(rig.a.snapshot().pending().heldPackets()).isEqualTo(3);
        assertThat(rig.a.snapshot().pending().requestedKeys()).isEqualTo(List.of(Side.KEY));
        rig.answersLeases = true;
        rig.run();
        assertThat(rig.a.snapshot().pending().heldPackets()).isZero();
    }

    @Test
    void aRequesterBacksOffAfterAnRnrNak() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        assertThat(rig.a.snapshot().pending().backingOff()).isFalse();
        rig.hears(100, Syndrome.rnr(12));
        assertThat(rig.a.snapshot().pending().backingOff()).isTrue();
    }

    @Test
    void onlyAConnectionWithoutATimeoutReportsNone() {
        assertThat(new Rig().a.snapshot().pending().hasNoTimeout()).isFalse();
        assertThat(new Rig(Rig.TERMS.withTimeoutCode(0).withRetryCount(7))
                        .a
                        .snapshot()
                        .pending()
                        .hasNoTimeout())
                .isTrue();
        ResourceSnapshot.Pending unreliable =
                UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5).a.snapshot().pending();
        assertThat(unreliable.hasNoTimeout()).isFalse();
        assertThat(unreliable.backingOff()).isFalse();
    }
}
