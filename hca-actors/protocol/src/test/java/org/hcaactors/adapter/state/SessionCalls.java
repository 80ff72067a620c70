// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.List;
import java.util.Random;
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
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;

/** Packets that open and end sessions among a DC initiator's requests, at random by seed. */
final class SessionCalls {
    private final Random random;
    private final Side initiator;
    private final Side target;

    SessionCalls(Random random, Side initiator, Side target) {
        this.random = random;
        this.initiator = initiator;
        this.target = target;
    }

    /**
     * Inserts a packet that opens or ends a session among the requests: in its place, late, or of another session, and perhaps
     * twice.
     *
     * @param servedFrom the PSN of the session's first request
     */
    void comeAmong(List<Packet> batch, int servedFrom) {
        int at = random.nextInt(batch.size());
        int psn = Psn.plus(batch.get(at).psn(), random.nextInt(4) == 0 ? random.nextInt(5) - 2 : 0);
        Packet call = random.nextBoolean() ? connect(psn, servedFrom) : disconnect(psn);
        for (int times = random.nextInt(3) == 0 ? 2 : 1; times > 0; times--) {
            batch.add(at, call);
        }
    }

    private Packet connect(int firstPsn, int servedFrom) {
        int first = random.nextInt(3) == 0 ? servedFrom : firstPsn;
        List<ExtendedHeader> asks = List.of(new DcConnectEth(random.nextInt(3) == 0, 0, first, 0, 0));
        return toSession(0).packet(Operation.CONNECT, Psn.plus(first, -1), true, false, asks, Octets.NONE);
    }

    private Packet disconnect(int psn) {
        int session = random.nextInt(8) == 0 ? BatchPlay.SESSION + 1 : BatchPlay.SESSION;
        return toSession(session).packet(Operation.DISCONNECT, psn, true, true, List.of(), Octets.NONE);
    }

    private Headers toSession(int session) {
        DatagramPath path = DatagramPath.of(AddressVector.to(target.gid()), 1, initiator.local);
        return Headers.along(new QpSettings(initiator.number, 1, false), path, target.number, true, TransportClass.DC)
                .withLeading(List.of(new DcEth(1, session, 0, initiator.number)));
    }
}
