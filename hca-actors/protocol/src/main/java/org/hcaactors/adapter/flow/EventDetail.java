// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Details of an asynchronous event whose reason is no {@link DependencyFailure}. */
public sealed interface EventDetail extends Reason {
    enum Plainly implements EventDetail {
        /** The event's cause in the trace explains it. */
        SEE_CAUSE,
        FIRST_PACKET_IN_RTR,
        DRAINED,
        TAKES_NO_MORE_RECEIVES,
        CABLE_IN,
        CABLE_OUT,
        FIRMWARE_RESET,
        WARM_REBOOT,
        POWER_CYCLE
    }

    record GidTableSet(int entries) implements EventDetail {}

    record PkeyTableSet(int entries) implements EventDetail {}

    record BelowLimit(int receives, int limit) implements EventDetail {}

    /**
     * A completion queue overran: an entry found no free slot.
     *
     * @param waiting number of entries to be polled
     * @param underway number of entries on their way to a subscriber
     * @param workId id of the lost entry's work request
     * @param qp number of that request's queue pair
     */
    record Overrun(int capacity, int waiting, int underway, long workId, int qp) implements EventDetail {}
}
