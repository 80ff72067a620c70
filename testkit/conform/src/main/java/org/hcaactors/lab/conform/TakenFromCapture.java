// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/** Values that a machine cannot know and that are taken from the capture; they do not count as matched. */
public enum TakenFromCapture {
    READ_DATA("the data that a READ returned"),
    ATOMIC_ORIGINAL("the value of a word before its first atomic"),
    KEY("a key that the peer accepted, and its range that requests used"),
    KEY_GONE("a known key that the peer refused, because it had lost its right or was deregistered"),
    FIRST_MSN("the message sequence number at the first captured answer"),
    NO_RECEIVE("that no receive was posted, where the peer answered receiver not ready"),
    SHORT_RECEIVE("that a receive was shorter than its message, where the peer refused the message"),
    LOSS("that an answer was lost or delayed after the point of capture"),
    DOUBLED("that a request was duplicated after the point of capture"),
    TIMEOUT("when a retransmission timer expired"),
    RETRY_BUDGET("the retry counts of a queue pair"),
    QKEY("the Q_Key of a datagram queue pair, or that it differs");

    private final String what;

    TakenFromCapture(String what) {
        this.what = what;
    }

    public String what() {
        return what;
    }
}
