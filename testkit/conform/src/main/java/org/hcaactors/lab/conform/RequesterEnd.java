// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Parameters of the requester's end of a connection.
 *
 * @param depth concurrent READs and atomics; a real requester with a smaller limit sends them later, which is not compared
 * @param retries after a timeout or a sequence NAK, 7 for infinite
 * @param rnrRetries after an RNR NAK, 7 for infinite
 */
record RequesterEnd(PacketDirection leg, Profile profile, int depth, int retries, int rnrRetries) {
    private static final int RETRY_CODE = 14;
    private static final int INFINITE_RETRIES = 7;

    static RequesterEnd of(PacketDirection direction, Notes notes, Profiles profiles, ComparisonBuilder tally) {
        return new RequesterEnd(
                direction,
                profiles.at(direction.requester()),
                profiles.depthAt(direction.requester()),
                retries(direction, notes, Status.RETRY_EXC_ERR, tally),
                retries(direction, notes, Status.RNR_RETRY_EXC_ERR, tally));
    }

    /** Returns infinite retries, unless the real program saw them exhausted: then as many as were captured. */
    private static int retries(PacketDirection direction, Notes notes, Status exhausted, ComparisonBuilder tally) {
        boolean ranOut = notes.completions(direction.requester()).stream()
                .anyMatch(printed -> printed.status() == exhausted.code());
        if (!ranOut) {
            return INFINITE_RETRIES;
        }
        tally.takenFromCapture(TakenFromCapture.RETRY_BUDGET);
        int last = direction.requests().getLast().psn();
        long sendings = direction.requests().stream()
                .filter(request -> request.psn() == last)
                .count();
        return (int) Math.max(0, Math.min(INFINITE_RETRIES - 1, sendings - 1));
    }

    /** @param requests capacity of its send queue */
    StandaloneQueuePair connected(int requests, int firstPsn) {
        int number = leg.requesterQp() == 0 ? leg.responderQp() : leg.requesterQp();
        StandaloneQueuePair qp =
                new StandaloneQueuePair(leg.type(), number, leg.requester(), profile, Math.max(2, requests));
        Gid peer = new Gid(leg.responder().high(), leg.responder().low());
        if (leg.transport() == TransportClass.UC) {
            UcConnection attributes = UcConnection.DEFAULT.withMtu(leg.mtu()).withFirstPsn(firstPsn);
            qp.modify(attributes.toInit());
            qp.modify(attributes.toRtr(peer, leg.responderQp()));
            qp.modify(attributes.toRts());
            return qp;
        }
        RcConnection attributes = RcConnection.DEFAULT
                .withMtu(leg.mtu())
                .withFirstPsn(firstPsn)
                .withRdAtomic(depth)
                .withTimeoutCode(RETRY_CODE)
                .withRetryCount(retries)
                .withRnrRetry(rnrRetries)
                .withMinRnrTimerCode(1);
        qp.modify(attributes.toInit());
        qp.modify(attributes.toRtr(peer, leg.responderQp()));
        qp.modify(attributes.toRts());
        return qp;
    }
}
