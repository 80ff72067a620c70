// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

/** Limits of packet and message lengths (rule rc-lengths; IBA 9.7.4.1.6). */
public final class PacketLengths {
    /** Maximum length of an RDMA message. */
    public static final long MAX_RDMA_BYTES = 1L << 31;

    private PacketLengths() {}

    /**
     * True if the length is wrong: First and Middle carry exactly one MTU, a run one for each packet, Last one byte to one MTU,
     * Only at most one MTU.
     */
    public static boolean isWrong(Packet packet, int mtuBytes) {
        int count = packet.payload().length();
        return switch (packet.operation().place()) {
            case FIRST, MIDDLE -> count != packet.packets() * mtuBytes;
            case LAST -> count < 1 || count > mtuBytes;
            case ONLY -> count > mtuBytes;
        };
    }

    /** True if a WRITE that has received {@code reached} of {@code length} bytes with this packet ends too early or too late. */
    @MutationPoint("packet-lengths.is-wrong-part")
    static boolean isWrongPart(Operation operation, long reached, long length) {
        return operation.ends() ? reached != length : reached >= length;
    }
}
