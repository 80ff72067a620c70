// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why a queue pair discards a packet that is addressed to it. */
public sealed interface Ignored extends Reason {
    /** Reasons without details. */
    enum Plainly implements Ignored {
        /** A response whose PSN is not outstanding (ghost). */
        GHOST,
        /** A NAK that the requester has already answered by going back. */
        WENT_BACK_FOR_NAK,
        /** A response beyond a missing one, for which the requester has already gone back. */
        WENT_BACK_FOR_RESPONSE,
        /** A NAK or a gap that arrives while the requester waits out an RNR NAK. */
        BACKING_OFF,
        /** An out-of-sequence request, for which the responder has already sent a NAK. */
        NAK_PENDING,
        FORGOTTEN_READ,
        FORGOTTEN_ATOMIC,
        CONNECTION_HAS_FAILED,
        QUEUE_PAIR_HAS_FAILED,
        /** Too many packets wait for their queue pair. */
        RECEIVE_BUFFER_FULL,
        /** A request for a connection, of which as many wait as the backlog of its listener allows. */
        BACKLOG_FULL,
        /** Too many responses wait for a lease. */
        RESPONSES_WAIT,
        /** Too many requests wait for a lease or a receive. */
        REQUESTS_WAIT,
        PART_OF_A_MESSAGE_GIVEN_UP,
        PACKET_MISSING,
        MESSAGE_NEVER_ENDED,
        WRONG_LENGTH,
        LONGER_THAN_RECEIVE,
        TAKES_NO_WRITE,
        RECEIVE_MEMORY_UNUSABLE,
        /** The page that the data is to be written to is absent, and the transport does not wait for pages. */
        PAGE_IS_ABSENT,
        /** The packet opens or ends a session that is over or that is not this one. */
        OF_ANOTHER_SESSION,
        /** A response whose page is absent; it is requested again when the page is present. */
        RESPONSE_PAGE_AWAITED
    }

    /** The whole message that the packet belongs to is abandoned. */
    record GivenUp(Reason reason) implements Ignored {}
}
