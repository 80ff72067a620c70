// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.Optional;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** State of one connection. */
final class CmConnection {
    /** Queue pair of a peer. */
    record RemoteQueuePair(long caGuid, int number) {}

    /** Identity of a peer's end. */
    record RemoteEnd(PortAddress at, int commId) {}

    final int commId;
    final PortAddress peer;

    /** Address of this end. */
    final PortAddress local;

    /** Transaction of the REQ, its answers and the RTU. */
    final long transactionId;

    /** Service ID at which it was requested; empty at the active end. */
    final Optional<Long> service;

    /** Communication ID of the peer; 0 while unknown. */
    int remoteCommId;

    int localQpn;
    private long remoteGuid;
    private int remoteQpn;
    CmState state;

    /** Time in which the peer answers, as a code. */
    int peerResponseCode;

    /** Repetitions of this end's messages. */
    int maxRetries;

    int retriesLeft;

    /** Time after which the peer has given up its request, unless it is asked for more. */
    long patienceNanos;

    /** The peer has asked for more time since this end's message was sent last. */
    boolean askedForTime;

    /** The peer knows this end's ID from an MRA. */
    boolean told;

    /** A request that takes room in its listener's backlog. */
    boolean isUndecided;

    /** The program's end is gone. */
    boolean abandoned;

    /** Time of the next repetition or end; Long.MAX_VALUE for none. Changed only by the {@link CmTable}. */
    long deadline = Long.MAX_VALUE;

    /** Message that is sent again until it is answered. */
    @Nullable
    CmDatagram repeated;

    /** Answer to copies of the message that this end has answered: RTU, REP or REJ. */
    @Nullable
    CmDatagram answer;

    CmConnection(
            int commId,
            PortAddress local,
            PortAddress peer,
            long transactionId,
            Optional<Long> service,
            CmState state) {
        this.commId = commId;
        this.local = local;
        this.peer = peer;
        this.transactionId = transactionId;
        this.service = service;
        this.state = state;
    }

    void knows(int remoteCommId, long remoteGuid, int remoteQpn) {
        this.remoteCommId = remoteCommId;
        this.remoteGuid = remoteGuid;
        this.remoteQpn = remoteQpn;
    }

    int remoteQpn() {
        return remoteQpn;
    }

    boolean isPassive() {
        return service.isPresent();
    }

    /** True if the request is the one that created it, and not that of a peer that begins again with its numbers. */
    @MutationPoint("cm-connection.is-of")
    boolean isOf(long transaction, ConnectRequest request) {
        return isPassive()
                && transactionId == transaction
                && remoteQpn == request.queuePair().number();
    }

    RemoteEnd remoteEnd() {
        return new RemoteEnd(peer, remoteCommId);
    }

    RemoteQueuePair remoteQueuePair() {
        return new RemoteQueuePair(remoteGuid, remoteQpn);
    }
}
