// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

/**
 * A received message.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param tag the sender's tag
 * @param lengthBytes length of the data
 * @param way how the data reached the buffer
 */
public record TagArrival(long tag, int lengthBytes, Way way) {
    /** Way by which the data reached the buffer. More may follow: a switch over them wants a default. */
    public enum Way {
        /** The adapter wrote them from the packets. */
        EXPECTED,
        /** The program copied them from an internal buffer. */
        COPIED,
        /** The adapter fetched them from the sender. */
        FETCHED,
        /** The program fetched them from the sender. */
        FETCHED_BY_PROGRAM
    }
}
