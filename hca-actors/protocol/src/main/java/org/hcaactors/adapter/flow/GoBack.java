// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** What makes an RC requester send again. */
public enum GoBack implements Reason {
    TIMEOUT,
    SEQUENCE_NAK,
    /** A response is missing before one that came. */
    IMPLIED_NAK,
    RNR_TIMER_EXPIRED,
    /** Of a response that came before, and had nowhere to go. */
    PAGE_PRESENT,
    /** Of what a target did not take before its session was known. */
    SPECULATION_REFUSED;

    /** It was told of a gap, and may be told of the same one again. */
    public boolean isTold() {
        return this == SEQUENCE_NAK || this == IMPLIED_NAK;
    }
}
