// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why a queue pair ignores a packet that is for it. */
public sealed interface Ignored extends Reason {
    /** Those of which there is no more to say. */
    enum Plainly implements Ignored {
        /** It answers nothing that the requester waits for. */
        GHOST,
        /** The same NAK again. */
        WENT_BACK_FOR_NAK,
        /** It jumps again over a response that is missing. */
        WENT_BACK_FOR_RESPONSE,
        /** It would send the requester back while that waits out an RNR NAK. */
        BACKING_OFF,
        /** A gap, of which the responder has told. */
        NAK_PENDING,
        FORGOTTEN_READ,
        FORGOTTEN_ATOMIC,
        CONNECTION_HAS_FAILED,
        QUEUE_PAIR_HAS_FAILED,
        /** Too many packets wait for their queue pair already. */
        RECEIVE_BUFFER_FULL,
        /** Too many responses wait for a lease already. */
        RESPONSES_WAIT,
        /** Too many requests wait for a lease or a receive already. */
        REQUESTS_WAIT,
        PART_OF_A_MESSAGE_GIVEN_UP,
        PACKET_MISSING,
        MESSAGE_NEVER_ENDED,
        WRONG_LENGTH,
        LONGER_THAN_RECEIVE,
        TAKES_NO_WRITE,
        RECEIVE_MEMORY_UNUSABLE,
        /** What it is to be put into has no page, and nothing waits for one. */
        PAGE_IS_ABSENT,
        /** It opens or ends a session that is over, or another one. */
        OF_ANOTHER_SESSION,
        /** A response whose place has no page: it is asked for again when the page is there. */
        RESPONSE_PAGE_AWAITED
    }

    /** All that came of its message is given up. */
    record GivenUp(Reason reason) implements Ignored {}
}
