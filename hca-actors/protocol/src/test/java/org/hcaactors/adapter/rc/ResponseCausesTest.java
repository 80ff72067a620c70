// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PageWaits;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to a READ are a consequence of its request; everything else in the turn is one of what began the turn. */
class ResponseCausesTest {
    private static final int REFUSED = 0x900;
    private static final int UNKNOWN = 0xA00;
    private static final long TURN = 7;
    private static final long REQUEST = 5;

    private final Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
    private final LeaseCache leases = new LeaseCache();
    private final QpSettings settings = new QpSettings(1, 1, false);
    private final ResponseQueue responses = new ResponseQueue(settings, new PendingPageFault(), 14);
    private final LocalMemory memory = new LocalMemory(new KeyUser(1, 17), leases, PageWaits.NONE);

    @BeforeEach
    void aTurnBegins() {
        leases.granted(side.lease(Side.KEY));
        leases.refused(REFUSED, new Denial.Unregistered());
        settings.mtuBytes = 1024;
        side.turn.handles(TURN);
    }

    private int answer(int key) {
        GlobalRoute path = GlobalRoute.to(new Gid(side.port.high(), side.port.low()));
        responses.read(100, new ExtendedHeader.Reth(side.memory.address(), key, 3000), memory, 1, REQUEST);
        return responses.transmit(
                Headers.ofConnection(settings, side.local, path, true, TransportClass.RC), 64, side.turn);
    }

    @ParameterizedTest(name = "key 0x{0}")
    @ValueSource(ints = {Side.KEY, UNKNOWN, REFUSED})
    void effectsBehindAReadAreCausedByTheTurn(int key) {
        answer(key);
        assertThat(side.cause()).isEqualTo(TURN);
    }

    @Test
    void memoryReadsAreCausedByTheRequest() {
        assertThat(answer(Side.KEY)).isEqualTo(3);
        assertThat(side.touchedBecause).containsExactly(REQUEST, REQUEST, REQUEST);
    }

    @Test
    void aRefusedReadIsTheCauseOnlyOnce() {
        answer(REFUSED);
        responses.blame(side.turn);
        assertThat(side.cause()).isEqualTo(Side.FAILED - 1);
        side.turn.handles(TURN);
        responses.blame(side.turn);
        assertThat(side.cause()).isEqualTo(TURN);
    }

    @Test
    void anAnsweredReadIsNotTheCause() {
        answer(Side.KEY);
        responses.blame(side.turn);
        assertThat(side.cause()).isEqualTo(TURN);
    }

    @Test
    void theMoveToErrIsCausedByTheReadWithoutMemory() {
        Rig rig = new Rig();
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.inject(
                rig.b, Opcode.RC_READ_REQUEST, 100, 0, new ExtendedHeader.Reth(rig.b.memory.address(), Side.KEY, 3000));
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.b.keys.clear();
        rig.b.turn.handles(TURN);
        rig.run();
        assertThat(rig.b.states).endsWith(QpState.ERR);
        assertThat(rig.b.statesBecause.getLast()).isEqualTo(Side.FAILED - 1);
    }
}
