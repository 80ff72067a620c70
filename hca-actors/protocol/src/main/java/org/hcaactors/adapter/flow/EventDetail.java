// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** What an asynchronous event reports, if it is no {@link DependencyFailure}. */
public sealed interface EventDetail extends Reason {
    enum Plainly implements EventDetail {
        /** The event's cause in the trace tells. */
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
     * An entry found no room.
     *
     * @param waiting entries to be polled
     * @param underway entries on their way to a subscriber
     * @param workId of the request that it is for
     * @param qp of that request
     */
    record Overrun(int capacity, int waiting, int underway, long workId, int qp) implements EventDetail {}
}
