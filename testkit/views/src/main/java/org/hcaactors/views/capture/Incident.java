// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

/**
 * An event in a capture that a successful request does not have.
 *
 * @param kind kind of the incident
 * @param frame frame that shows it
 * @param nanos time since the first frame
 * @param offset its PSN, relative to the first request of the exchange
 * @param what description
 * @param reason its cause, as far as the capture shows
 */
public record Incident(Kind kind, int frame, long nanos, long offset, String what, String reason) {
    /** Kinds of incidents. */
    public enum Kind {
        GAP,
        LATE,
        SENT_AGAIN,
        /** NAK with PSN sequence error: the responder missed a packet. */
        SEQUENCE_NAK,
        /** Any other NAK: the responder refuses the request. */
        NAK,
        RNR,
        BAD_ICRC
    }
}
