// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

/**
 * An access to memory that found pages absent.
 *
 * @param absence the absent pages
 * @param cause event of the access, 0 if nothing is traced
 */
public record PageFault(Kind kind, Lease.Absent absence, long cause) {
    /** Kinds of access that need the page, as the device reports them to its driver. */
    public enum Kind {
        /** A request reads the data that it sends. */
        GATHER,
        /** A response is written to the local memory of its request. */
        RESPONSE,
        /** A message is written to the memory of a receive. */
        RECEIVE,
        /** A peer's READ, WRITE or atomic accesses memory. */
        REMOTE;

        /** True if the requester half waits. */
        public boolean isOfInitiator() {
            return this == GATHER || this == RESPONSE;
        }
    }
}
