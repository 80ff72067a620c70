package org.hcaactors.fabric.packet;

/**
 * Base transport header (IBA 9.2; wire-formats 1.2), 12 bytes on the wire.
 *
 * @param opcode transport and operation
 * @param solicited SE: asks for a solicited event
 * @param migReq M: path migration state
 * @param padCount 0 to 3 bytes that fill the payload up to a multiple of four
 * @param transportVersion TVer, 0 or the receiver drops the packet
 * @param pkey 16 bits
 * @param fecn forward congestion
 * @param becn backward congestion, set in a CNP
 * @param reserved6 the six reserved bits beside FECN and BECN, not covered by the ICRC
 * @param destQp 24 bits
 * @param ackReq A: asks for an acknowledgement
 * @param reserved7 the seven reserved bits beside A, covered by the ICRC
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

    /** A header with everything that is rarely set at zero. */
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

    /** Pad bytes after a payload of that length. */
    public static byte padFor(int payloadBytes) {
        return (byte) (-payloadBytes & 3);
    }
}
