// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

/** The numbers of packets that came from another node (rule cluster-window). Not thread-safe. */
final class ReceiveCount {
    private long expected;
    private long consumed;
    private long granted;

    /**
     * Counts packets that arrived.
     *
     * @return how many were lost before them; a negative number if they are repeated or older than others, and must be dropped
     */
    long arrived(long first, int packets) {
        if (first < expected) {
            return first - expected;
        }
        long lost = announced(first);
        expected += packets;
        return lost;
    }

    /** Counts packets that the fabric has taken. */
    void consumed(int packets) {
        consumed += packets;
    }

    /**
     * Takes the number of the next packet that the other node will send; lost are those that should have come before it.
     *
     * @return how many
     */
    long announced(long next) {
        long lost = Math.max(0, next - expected);
        expected += lost;
        consumed += lost;
        return lost;
    }

    /** Returns up to which number packets were consumed, if that is worth telling: if it has grown by that many. */
    boolean isGrantDue(int atLeast) {
        return consumed - granted >= atLeast;
    }

    /** Returns up to which number packets were consumed; it counts as told. */
    long grant() {
        granted = consumed;
        return consumed;
    }
}
