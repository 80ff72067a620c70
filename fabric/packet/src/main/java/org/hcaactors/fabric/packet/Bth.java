// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/**
 * Base transport header (IBA 9.2; rule wire-bth), 12 bytes on the wire. The constructor throws IllegalArgumentException if a
 * value has more bits than its field, or if the solicited bit contradicts the opcode (rule wire-dc-connect).
 *
 * @param opcode transport and operation
 * @param solicited SE: requests a solicited event
 * @param migReq M: path migration state
 * @param padCount 0 to 3 bytes that fill the payload up to a multiple of four
 * @param transportVersion TVer; the receiver drops the packet unless it is 0
 * @param pkey 16 bits
 * @param fecn forward congestion
 * @param becn backward congestion, set in a CNP
 * @param reserved6 the six reserved bits next to FECN and BECN, not covered by the ICRC
 * @param destQp 24 bits
 * @param ackReq A: requests an acknowledgement
 * @param reserved7 the seven reserved bits next to A, covered by the ICRC
 * @param psn 24 bits
 */
public record Bth(
        Opcode opcode,
        boolean solicited,
        boolean migReq,
        byte padCount,
        byte transportVersion,
        int pkey,
        boolean fecn,
        boolean becn,
        byte reserved6,
        int destQp,
        boolean ackReq,
        byte reserved7,
        int psn) {
    public static final int LENGTH_BYTES = 12;
    public static final int DEFAULT_PKEY = 0xFFFF;

    private static final byte ZERO = 0;

    public Bth {
        within("pad count", padCount, 3);
        within("transport version", transportVersion, 0xF);
        within("P_Key", pkey, 0xFFFF);
        within("reserved field next to FECN and BECN", reserved6, 0x3F);
        within("destination queue pair", destQp, 0xFF_FFFF);
        within("reserved field next to A", reserved7, 0x7F);
        within("PSN", psn, Psn.MASK);
        // rule wire-dc-connect
        if (opcode.solicited(solicited) != opcode) {
            throw new IllegalArgumentException("%s with the solicited bit %d is encoded as %s"
                    .formatted(opcode, solicited ? 1 : 0, opcode.solicited(solicited)));
        }
    }

    private static void within(String field, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("the %s is 0x%x; 0 to 0x%x is allowed".formatted(field, value, max));
        }
    }

    /** Returns a header whose rarely used fields are zero. */
    public static Bth of(
            Opcode opcode,
            boolean solicited,
            boolean migReq,
            int payloadBytes,
            int pkey,
            int destQp,
            boolean ackReq,
            int psn) {
        return new Bth(
                opcode,
                solicited,
                migReq,
                padFor(payloadBytes),
                ZERO,
                pkey,
                false,
                false,
                ZERO,
                destQp,
                ackReq,
                ZERO,
                psn);
    }

    Bth withPadFor(int payloadBytes) {
        return with(padFor(payloadBytes), destQp, ackReq, psn);
    }

    /** Returns the header with that PSN of 24 bits. */
    public Bth withPsn(int other) {
        return with(padCount, destQp, ackReq, other);
    }

    /** Returns the header with that destination queue pair of 24 bits. */
    public Bth withDestQp(int other) {
        return with(padCount, other, ackReq, psn);
    }

    /** Returns the header with or without the bit that requests an acknowledgement. */
    public Bth withAckReq(boolean asks) {
        return with(padCount, destQp, asks, psn);
    }

    private Bth with(byte pad, int destination, boolean asks, int number) {
        return new Bth(
                opcode,
                solicited,
                migReq,
                pad,
                transportVersion,
                pkey,
                fecn,
                becn,
                reserved6,
                destination,
                asks,
                reserved7,
                number);
    }

    /** Returns the pad count for a payload of that length (rule wire-pad). */
    public static byte padFor(int payloadBytes) {
        return (byte) (-payloadBytes & 3);
    }
}
