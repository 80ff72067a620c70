// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

/**
 * Packets to another node that it has not consumed (rule cluster-window). Packets have numbers, from 0. The node tells up to which
 * number it has consumed them or knows that they were lost. Not thread-safe.
 */
final class SendWindow {
    private final int size;
    private long next;
    private long consumed;

    /** @param packets that may be under way, at least 1 */
    SendWindow(int packets) {
        size = packets;
    }

    /** Returns how many packets may be sent now. */
    int room() {
        return (int) (size - (next - consumed));
    }

    /** Counts packets that are sent; returns the number of the first. */
    long sent(int packets) {
        long first = next;
        next += packets;
        return first;
    }

    /** Takes a grant of the node; one that is older than another is ignored, and one beyond what was sent. */
    void granted(long consumedUpTo) {
        if (consumedUpTo > consumed && consumedUpTo <= next) {
            consumed = consumedUpTo;
        }
    }

    /** Returns the number of the next packet. */
    long next() {
        return next;
    }

    /** True if the node has consumed everything. */
    boolean isIdle() {
        return consumed == next;
    }
}
