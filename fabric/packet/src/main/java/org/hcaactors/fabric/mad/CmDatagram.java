// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

/**
 * MAD of class CM: 256 bytes, method Send (rule cm-mad).
 *
 * @param transactionId 64 bits; an answer has that of its request
 */
public record CmDatagram(long transactionId, CmMessage message) {
    /** Bytes of a MAD. */
    public static final int BYTES = 256;

    /** Number of the queue pair that sends and receives MADs of general services (GSI). */
    public static final int QP_NUMBER = 1;

    /** Q_Key of these queue pairs. */
    public static final int QKEY = 0x8001_0000;
}
