// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

/**
 * Something that a requester, a responder or the wire did besides what every request needs.
 *
 * @param kind what
 * @param frame in which it shows
 * @param nanos since the first frame
 * @param offset of the PSN that it is about, from the first request of its exchange on
 * @param what the same in words
 * @param reason what brought it about, as far as the capture tells
 */
public record Incident(Kind kind, int frame, long nanos, long offset, String what, String reason) {
    /** What a capture shows of trouble. */
    public enum Kind {
        GAP,
        LATE,
        SENT_AGAIN,
        /** The responder asks for what it missed. */
        SEQUENCE_NAK,
        /** The responder refuses a request for good. */
        NAK,
        RNR,
        BAD_ICRC
    }
}
