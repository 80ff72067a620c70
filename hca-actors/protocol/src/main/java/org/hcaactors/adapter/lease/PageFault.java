// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

/**
 * A use of memory that found pages absent.
 *
 * @param absence what is absent
 * @param cause the event of what needs it, 0 where nothing is traced
 */
public record PageFault(Kind kind, Lease.Absent absence, long cause) {
    /** What needs the page, as the device tells its driver. */
    public enum Kind {
        /** A request reads what it sends. */
        GATHER,
        /** A response is written to where its request said. */
        RESPONSE,
        /** A message is written to a receive. */
        RECEIVE,
        /** A peer's READ, WRITE or atomic. */
        REMOTE;

        /** It is the asking half that waits. */
        public boolean isOfInitiator() {
            return this == GATHER || this == RESPONSE;
        }
    }
}
