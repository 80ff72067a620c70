// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Causes of a queue pair's state change, other than a {@link DependencyFailure}. */
public enum StateReason implements Reason {
    MODIFIED,
    MODIFIED_TO_ERR,
    CLOSED,
    A_REQUEST_FAILED,
    /** The responder refused a request; a preceding {@link HcaEvent.Failed} has the reason. */
    REFUSED_ITS_PEER,
    /** The peer disconnected. */
    SESSION_ENDED,
    /** The peer was silent for too long. */
    SESSION_IDLE,
    /** The peer opened another session. */
    SESSION_REPLACED;

    // rule dc-disconnect
    /** True if a DC responder's session ended regularly: the responder's state ERR is then no failure. */
    public boolean endsSession() {
        return this == SESSION_ENDED || this == SESSION_IDLE || this == SESSION_REPLACED;
    }
}
