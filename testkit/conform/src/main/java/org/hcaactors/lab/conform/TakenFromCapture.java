// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/** Values that a machine cannot know and that are taken from the capture; they do not count as matched. */
public enum TakenFromCapture {
    READ_DATA("what the memory held that a READ returned"),
    ATOMIC_ORIGINAL("what the word held before its first atomic"),
    KEY("a key that the peer accepted, and the range that was used under it"),
    KEY_GONE("a known key that the peer refused: its right or its life had ended"),
    FIRST_MSN("the message sequence number at the first captured answer"),
    NO_RECEIVE("that no receive was posted, where the peer answered receiver not ready"),
    SHORT_RECEIVE("that a receive was shorter than its message, where the peer refused the message"),
    LOSS("that an answer was lost or held back behind the point of capture"),
    DOUBLED("that a request was doubled behind the point of capture"),
    TIMEOUT("when a retransmission timer ran off"),
    RETRY_BUDGET("how many retries a queue pair was given"),
    QKEY("the queue key of a datagram queue pair, or that it is another one");

    private final String what;

    TakenFromCapture(String what) {
        this.what = what;
    }

    public String what() {
        return what;
    }
}
