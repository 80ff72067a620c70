// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.queue.DcTargetDescription;

/**
 * What a target grants.
 *
 * @param version of the transport that it understands
 * @param maxResponders that it has at a time
 * @param sparedResponders with fewer left, initiators are told to come again
 * @param fullHandshake only what carries the number of its session is taken
 * @param maxLines peers that it knows of, served or not
 * @param idleNanos the responder of a peer that is silent for so long is another's who needs one
 * @param lifetimeNanos no packet is under way for longer
 */
public record DcTargetGrants(
        int version,
        long accessKey,
        int maxResponders,
        int sparedResponders,
        boolean fullHandshake,
        int maxLines,
        long idleNanos,
        long lifetimeNanos) {
    // rule dc-reclaim
    /** A responder waits so many times as long as an initiator before it takes its peer's silence for the end. */
    private static final int MORE_PATIENT = 4;

    /** @param lifetimeNanos of the fabric's packets */
    public static DcTargetGrants of(DcTargetDescription requested, DcCapabilities can, long lifetimeNanos) {
        return new DcTargetGrants(
                can.version(),
                requested.accessKey(),
                requested.maxResponders().orElse(can.responders()),
                requested.sparedResponders(),
                requested.fullHandshake(),
                1 << Math.min(30, can.logHashTable()),
                MORE_PATIENT * can.idleNanos(),
                lifetimeNanos);
    }
}
