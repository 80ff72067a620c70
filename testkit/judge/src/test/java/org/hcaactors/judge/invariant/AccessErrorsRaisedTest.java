// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;

class AccessErrorsRaisedTest {
    private static final Route ROUTE =
            new Route(PortAddress.unspecified(true), PortAddress.unspecified(true), 0, 64, 0, 0xC000);
    private static final int PEER = 99;

    private final HandMadeTrace trace = new HandMadeTrace(new AccessErrorsRaised(), QpType.RC);

    private static Packet packet(Opcode opcode, int destination, ExtendedHeader header) {
        Bth bth = Bth.of(opcode, false, true, 0, 0xFFFF, destination, false, 0);
        return new Packet(ROUTE, bth, List.of(header), Octets.NONE);
    }

    private long arrival() {
        var stamp = trace.next();
        Packet read = packet(Opcode.RC_READ_REQUEST, HandMadeTrace.QP, new ExtendedHeader.Reth(0, 0x100, 8));
        trace.tell(new FabricEvent.Delivered(stamp, HandMadeTrace.PORT, read));
        return stamp.id();
    }

    private void raises() {
        AsyncEvent event = new AsyncEvent(AsyncEvent.Kind.QP_ACCESS_ERR, HandMadeTrace.QP);
        trace.tell(new HcaEvent.Raised(trace.next(), HandMadeTrace.PORT, event, EventDetail.Plainly.SEE_CAUSE));
    }

    private void refuses(long request) {
        refuses(request, Opcode.RC_ACKNOWLEDGE);
    }

    private void refuses(long request, Opcode by) {
        Packet nak = packet(by, PEER, new ExtendedHeader.Aeth(Syndrome.NAK_REMOTE_ACCESS, 0));
        trace.tell(new FabricEvent.Sent(trace.next(request, 0), HandMadeTrace.PORT, HandMadeTrace.WHO, nak));
    }

    @Test
    void aRefusalReportedToItsOwnerIsRight() {
        raises();
        refuses(arrival());
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aRefusalOverXrcIsCheckedLikeOneOverRc() {
        refuses(arrival(), Opcode.XRC_ACKNOWLEDGE);
        assertThat(trace.stories()).singleElement().asString().contains("raised no event for it");
    }

    @Test
    void aDuplicatedNakIsOneRefusal() {
        long request = arrival();
        raises();
        refuses(request);
        refuses(request);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void anEventBeforeAResetDoesNotReportTheNextRefusal() {
        raises();
        refuses(arrival());
        trace.state(QpState.ERR, QpState.RESET);
        refuses(arrival());
        assertThat(trace.stories()).singleElement().asString().contains("raised no event for it");
    }
}
