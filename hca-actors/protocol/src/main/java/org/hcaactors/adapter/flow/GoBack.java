// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Causes of a retransmission by an RC requester. */
public enum GoBack implements Reason {
    TIMEOUT,
    SEQUENCE_NAK,
    /** A response is missing before one that arrived. */
    IMPLIED_NAK,
    RNR_TIMER_EXPIRED,
    /** The page that an earlier, dropped response needed is now present. */
    PAGE_PRESENT,
    /** The target refused packets that were sent before the session was known. */
    SPECULATION_REFUSED;

    /** True if the responder, or a later response, reports a gap; the same gap may be reported again. */
    public boolean isForGap() {
        return this == SEQUENCE_NAK || this == IMPLIED_NAK;
    }
}
