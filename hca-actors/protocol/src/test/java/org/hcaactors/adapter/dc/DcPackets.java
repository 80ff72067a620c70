// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.DcConnectEth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Packets between initiators and targets that neither of them sent. */
final class DcPackets {
    private DcPackets() {}

    static Packet connect(
            Side from, DcRig.TargetSide to, int version, boolean reconnect, int session, int firstPsn, long key) {
        List<ExtendedHeader> asks = List.of(new DcConnectEth(reconnect, 0, firstPsn, 0, key));
        return on(from, to, version, session).packet(Operation.CONNECT, firstPsn - 1, true, false, asks, Octets.NONE);
    }

    static Packet connect(Side from, DcRig.TargetSide to, int firstPsn) {
        return connect(from, to, 1, false, 0, firstPsn, DcRig.KEY);
    }

    static Packet disconnect(Side from, DcRig.TargetSide to, int session, int psn) {
        return on(from, to, 1, session).packet(Operation.DISCONNECT, psn, true, true, List.of(), Octets.NONE);
    }

    private static Headers on(Side from, DcRig.TargetSide to, int version, int session) {
        QpSettings settings = new QpSettings(from.number, 1, false);
        DatagramPath path = DatagramPath.of(AddressVector.to(DcRig.gid(to.host)), 1, from.local);
        return Headers.along(settings, path, to.number, true, TransportClass.DC)
                .withLeading(List.of(new DcEth(version, session, 0, from.number)));
    }

    /** A response that the target did not send. */
    static Packet answer(DcRig.TargetSide from, Side to, int flags, int session, int psn, int syndrome) {
        QpSettings settings = new QpSettings(from.number, 1, false);
        DatagramPath path = DatagramPath.of(AddressVector.to(DcRig.gid(to)), 1, from.host.local);
        return Headers.along(settings, path, to.number, true, TransportClass.DC)
                .withLeading(List.of(new DcEth(flags, session, 0, from.number)))
                .acknowledgement(psn, syndrome, 0);
    }
}
