// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

/**
 * Settings that both ends of ucmatose share, and do not send.
 *
 * @param messages each way, 1 to {@value #MOST_MESSAGES}
 * @param bytes of each message, 1 to {@value #MOST_BYTES}
 */
public record UcmatoseTerms(int messages, int bytes) {
    /** All receives are posted before the client is accepted. */
    public static final int MOST_MESSAGES = 1024;

    public static final int MOST_BYTES = 1 << 16;

    /** Number of messages of the program, unless it has an option for it. */
    public static final int USUAL_MESSAGES = 10;

    /** Bytes of the program's messages, unless it has an option for them. */
    public static final int USUAL_BYTES = 100;

    /** True if both numbers are in their ranges. */
    public boolean isAllowed() {
        return messages >= 1 && messages <= MOST_MESSAGES && bytes >= 1 && bytes <= MOST_BYTES;
    }

    @Override
    public String toString() {
        return messages + " messages of " + bytes + " bytes";
    }
}
