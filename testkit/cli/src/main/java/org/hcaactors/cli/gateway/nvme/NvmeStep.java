// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/** Reaction of a controller to a command: what is done next. */
public sealed interface NvmeStep {
    /** READ these data, and hand them to {@link DiscoveryController#fetched}. */
    record Fetch(NvmeCommand command, KeyedSgl from) implements NvmeStep {}

    /**
     * WRITE these data, and send the completion behind them.
     *
     * @param data as long as the memory of the host
     */
    record Deliver(byte[] data, KeyedSgl to, Completion completion) implements NvmeStep {}

    /**
     * Send the completion.
     *
     * @param result of the command
     * @param head of the submission queue, 16 bits
     * @param command its id, 16 bits
     * @param invalidate key of the host that the SEND invalidates
     */
    record Completion(long result, int head, int command, NvmeStatus status, OptionalInt invalidate)
            implements NvmeStep {
        /** Bytes of a completion. */
        public static final int BYTES = 16;

        private static final short ADMIN_QUEUE = 0;

        /** Returns its bytes. */
        public byte[] encode() {
            return ByteBuffer.allocate(BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(result)
                    .putShort((short) head)
                    .putShort(ADMIN_QUEUE)
                    .putShort((short) command)
                    .putShort((short) status.field())
                    .array();
        }
    }

    /** Nothing: the command has no completion before the connection ends. */
    record Outstanding() implements NvmeStep {}
}
