// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.link.Endpoint;

/**
 * Size of a peer's window (rule wire-window): packets, and bytes that they take in the buffer of the peer's socket. Linux counts the
 * memory that a datagram occupies, which is a power of two and more than its length.
 *
 * @param packets at least 1
 * @param bufferBytes a packet may leave while those under way take less
 */
record WindowSize(int packets, long bufferBytes) {
    /** More is of no use, and delays the packets behind. */
    private static final long MAX_BUFFER_BYTES = 1 << 20;

    /** As many as the credits of one queue pair: a slow peer should have read them before the timeouts of queue pairs. */
    private static final int MAX_PACKETS = Endpoint.INITIAL_CREDITS;

    /** Memory of a datagram without its block of bytes. */
    private static final int BLOCK_HEADER = 256;

    /** Bytes of the block that are no contents: MAC, IP and UDP headers with alignment, and Linux's description of the block. */
    private static final int BLOCK_OVERHEAD = 14 + 20 + 8 + 17 + 320;

    /** The smallest block that is counted; Linux has smaller ones for datagrams of less than 200 bytes. */
    private static final int SMALLEST_BLOCK = 1024;

    /** Returns the size for a number of packets, of any length. */
    static WindowSize ofPackets(int packets) {
        return new WindowSize(packets, Long.MAX_VALUE);
    }

    /**
     * Returns the size that the limits set, or one for a buffer like our own. Linux frees a quarter of a buffer late, and counts twice
     * the bytes of the option. With several peers, a peer may receive from several, too.
     *
     * @param receiveBufferBytes value of the option SO_RCVBUF of our own sockets
     * @param peers of the cable
     */
    static WindowSize of(PeerLimits limits, int receiveBufferBytes, int peers) {
        if (limits.windowPackets() != PeerLimits.WINDOW_OF_BUFFER) {
            return ofPackets(limits.windowPackets());
        }
        long usable = 2L * receiveBufferBytes * 3 / 4 / (peers > 1 ? 2 : 1);
        long bytes = Math.clamp(usable, 1, MAX_BUFFER_BYTES);
        return new WindowSize((int) Math.min(Math.ceilDiv(bytes, takes(0)), MAX_PACKETS), bytes);
    }

    /** Returns the bytes that a datagram takes in the buffer of a socket. */
    static int takes(int contentBytes) {
        int block = Integer.highestOneBit(contentBytes + BLOCK_OVERHEAD - 1) << 1;
        return Math.max(block, SMALLEST_BLOCK) + BLOCK_HEADER;
    }
}
