// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** What took a queue pair from one state to another, if it was not a {@link DependencyFailure}. */
public enum StateReason implements Reason {
    MODIFIED,
    MODIFIED_TO_ERR,
    CLOSED,
    A_REQUEST_FAILED,
    /** What its responder refused stands in a {@link HcaEvent.Failed} before. */
    REFUSED_ITS_PEER,
    /** Its peer disconnected. */
    SESSION_ENDED,
    /** Its peer was silent for too long. */
    SESSION_IDLE,
    /** Its peer has begun anew. */
    SESSION_REPLACED;

    // rule dc-disconnect
    /** A session of a DC responder is over as it should be: its state ERR is no failure. */
    public boolean endsSession() {
        return this == SESSION_ENDED || this == SESSION_IDLE || this == SESSION_REPLACED;
    }
}
