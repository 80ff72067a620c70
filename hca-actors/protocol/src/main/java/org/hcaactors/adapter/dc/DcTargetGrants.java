// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.queue.DcTargetDescription;

/**
 * Limits and attributes of a DC target.
 *
 * @param version version of the DC transport
 * @param maxResponders maximum number of responders at a time
 * @param reservedResponders with fewer free responders, initiators receive a CNAK
 * @param fullHandshake packets without the number of their session are refused
 * @param maxLines maximum number of known peers, served or not
 * @param idleNanos silence after which a peer's responder may be given to another peer
 * @param lifetimeNanos maximum lifetime of a packet in the fabric
 */
public record DcTargetGrants(
        int version,
        long accessKey,
        int maxResponders,
        int reservedResponders,
        boolean fullHandshake,
        int maxLines,
        long idleNanos,
        long lifetimeNanos) {
    // rule dc-reclaim
    /** Factor by which a responder's idle time exceeds an initiator's. */
    private static final int MORE_PATIENT = 4;

    /** @param lifetimeNanos maximum lifetime of a packet in the fabric */
    public static DcTargetGrants of(DcTargetDescription requested, DcCapabilities can, long lifetimeNanos) {
        return new DcTargetGrants(
                can.version(),
                requested.accessKey().value(),
                requested.maxResponders().orElse(can.responders()),
                requested.reservedResponders(),
                requested.fullHandshake(),
                1 << Math.min(30, can.logHashTable()),
                MORE_PATIENT * can.idleNanos(),
                lifetimeNanos);
    }
}
