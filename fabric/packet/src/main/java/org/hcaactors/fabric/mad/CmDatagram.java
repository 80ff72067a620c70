// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import org.hcaactors.fabric.packet.Octets;

/**
 * MAD of class CM: 256 bytes, method Send (rule cm-mad).
 *
 * @param transactionId 64 bits; an answer has that of its request
 */
public record CmDatagram(long transactionId, CmMessage message) {
    /** Maximum bytes of additional information. */
    static final int MAX_INFORMATION = 72;

    /** @throws IllegalArgumentException if private data or additional information are longer than the message has room for */
    public CmDatagram {
        check(
                "private data",
                message.privateData(),
                message,
                message.attribute().privateBytes());
        check("additional information", information(message), message, MAX_INFORMATION);
    }

    private static void check(String what, Octets bytes, CmMessage message, int max) {
        if (bytes.length() > max) {
            throw new IllegalArgumentException("the " + what + " of a " + message.attribute() + " has " + bytes.length()
                    + " bytes; " + max + " are allowed");
        }
    }

    private static Octets information(CmMessage message) {
        return switch (message) {
            case CmMessage.ConnectReject reject -> reject.information();
            case CmMessage.AlternatePathResponse response -> response.information();
            case CmMessage.ServiceReply reply -> reply.information();
            case CmMessage other -> Octets.NONE;
        };
    }

    /** Bytes of a MAD. */
    public static final int BYTES = 256;

    /** Number of the queue pair that sends and receives MADs of general services (GSI). */
    public static final int QP_NUMBER = 1;

    /** Q_Key of these queue pairs. */
    public static final int QKEY = 0x8001_0000;
}
