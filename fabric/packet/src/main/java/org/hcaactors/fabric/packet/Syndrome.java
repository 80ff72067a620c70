// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/** The AETH syndrome: 8 bits, type in bits 6 and 5, value in 4 to 0 (rule wire-syndrome). */
public final class Syndrome {
    /**
     * Positive acknowledgement without end-to-end credits (code 31), as ConnectX and Soft-RoCE send it (rule wire-no-credits).
     */
    public static final int ACK = 0x1F;

    public static final int NAK_PSN_SEQUENCE = 0x60;
    public static final int NAK_INVALID_REQUEST = 0x61;
    public static final int NAK_REMOTE_ACCESS = 0x62;
    public static final int NAK_REMOTE_OPERATION = 0x63;

    /** CNAK: the DC target has no free responder; the CONNECT can be repeated (rule wire-dc-cnak). */
    public static final int NAK_CONNECT = 0x64;

    private static final int TYPE = 0x60;
    private static final int VALUE = 0x1F;
    private static final int TYPE_RNR = 0x20;

    /** RNR timer codes in units of 10 us; code 0 is the longest, not zero (rule wire-rnr-timer). */
    private static final int[] RNR_TENS_OF_MICROS = {
        65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
        4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768, 49_152
    };

    private Syndrome() {}

    public static boolean isAck(int syndrome) {
        return (syndrome & TYPE) == 0;
    }

    public static boolean isRnr(int syndrome) {
        return (syndrome & TYPE) == TYPE_RNR;
    }

    public static boolean isNak(int syndrome) {
        return (syndrome & TYPE) == TYPE;
    }

    /** @param timerCode 0 to 31 */
    public static int rnr(int timerCode) {
        return TYPE_RNR | timerCode & VALUE;
    }

    /** Returns the minimum time to wait after the RNR NAK with this syndrome. */
    public static long rnrNanos(int syndrome) {
        return RNR_TENS_OF_MICROS[syndrome & VALUE] * 10_000L;
    }

    /** Returns a readable text: {@code ACK}, {@code RNR 0.64 ms}, {@code NAK remote access}. */
    public static String describe(int syndrome) {
        if (isAck(syndrome)) {
            return "ACK";
        }
        if (isRnr(syndrome)) {
            return "RNR " + rnrNanos(syndrome) / 1e6 + " ms";
        }
        return switch (syndrome) {
            case NAK_PSN_SEQUENCE -> "NAK psn sequence";
            case NAK_INVALID_REQUEST -> "NAK invalid request";
            case NAK_REMOTE_ACCESS -> "NAK remote access";
            case NAK_REMOTE_OPERATION -> "NAK remote operation";
            case NAK_CONNECT -> "CNAK";
            default -> "syndrome 0x%02x".formatted(syndrome);
        };
    }
}
