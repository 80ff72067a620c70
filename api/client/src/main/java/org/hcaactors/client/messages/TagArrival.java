// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

/**
 * A message that has come.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param tag that it was sent with
 * @param lengthBytes of it
 * @param way that it came
 */
public record TagArrival(long tag, int lengthBytes, Way way) {
    /** Who put the data into the buffer. More may follow: a switch over them wants a default. */
    public enum Way {
        /** The adapter, from the packets. */
        EXPECTED,
        /** The program, from where the adapter had put them. */
        COPIED,
        /** The adapter, which fetched them from their sender. */
        FETCHED,
        /** The program, which fetched them from their sender. */
        FETCHED_BY_PROGRAM
    }
}
