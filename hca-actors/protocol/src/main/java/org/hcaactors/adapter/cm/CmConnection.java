// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.Optional;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/** State of one connection. */
final class CmConnection {
    /** Queue pair of a peer. */
    record RemoteQueuePair(PortAddress at, int number) {}

    /** Identity of a peer's end. */
    record RemoteEnd(PortAddress at, int commId) {}

    final int commId;
    final PortAddress peer;

    /** Transaction of the REQ, its answers and the RTU. */
    final long transactionId;

    /** Service ID at which it was requested; empty at the active end. */
    final Optional<Long> service;

    /** Communication ID of the peer; 0 while unknown. */
    int remoteCommId;

    int localQpn;
    int remoteQpn;
    CmState state;

    /** Time in which the peer answers, as a code. */
    int peerResponseCode;

    int retriesLeft;
    int maxRetries;

    /** Time after which the peer has given up its request, unless it is asked for more. */
    long patienceNanos;

    /** The program's end is gone. */
    boolean abandoned;

    /** Time of the next repetition or end; Long.MAX_VALUE for none. */
    long deadline = Long.MAX_VALUE;

    /** Message that is repeated, or with which a late copy of the peer's message is answered. */
    @Nullable
    CmDatagram last;

    CmConnection(int commId, PortAddress peer, long transactionId, Optional<Long> service, CmState state) {
        this.commId = commId;
        this.peer = peer;
        this.transactionId = transactionId;
        this.service = service;
        this.state = state;
    }

    boolean isPassive() {
        return service.isPresent();
    }

    RemoteEnd remoteEnd() {
        return new RemoteEnd(peer, remoteCommId);
    }

    RemoteQueuePair remoteQueuePair() {
        return new RemoteQueuePair(peer, remoteQpn);
    }

    /** True if the program of this end knows of an established connection. */
    boolean isOpen() {
        return state == CmState.ESTABLISHED || state == CmState.DREQ_SENT;
    }
}
