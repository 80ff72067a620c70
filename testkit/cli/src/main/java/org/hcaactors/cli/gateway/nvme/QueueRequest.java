// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Data of a host's request for a connection, with the fields of Linux's include/linux/nvme-rdma.h.
 *
 * <p>Immutable.
 *
 * @param format of the data, 16 bits
 * @param queue 0 is the admin queue, 16 bits
 * @param receives entries of the host's receive queue, 16 bits
 * @param sends entries of the host's submission queue, minus 1, 16 bits
 */
public record QueueRequest(int format, int queue, int receives, int sends) {
    private static final short FORMAT = 0;
    private static final int REPLY_BYTES = 32;
    private static final int REFUSAL_BYTES = 4;

    /** Reason for which a request is rejected. Immutable. */
    public enum Refusal {
        INVALID_FORMAT(2, "its data have a format other than 0"),
        INVALID_QUEUE(3, "it asks for another queue than the admin queue"),
        INVALID_SENDS(4, "its submission queue has no entry, or more than " + DiscoveryController.QUEUE_ENTRIES),
        INVALID_RECEIVES(5, "it has no receives");

        private final short code;
        private final String words;

        Refusal(int code, String words) {
            this.code = (short) code;
            this.words = words;
        }

        /** Returns it in a few words. */
        public String words() {
            return words;
        }

        /** Returns the data of the rejection. */
        public ByteBuffer encode() {
            return data(REFUSAL_BYTES, code);
        }
    }

    /** Reads the data; zeros may follow them. */
    public static QueueRequest decode(ByteBuffer data) {
        ByteBuffer in = data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return new QueueRequest(next(in), next(in), next(in), next(in));
    }

    private static int next(ByteBuffer in) {
        return in.getShort() & 0xffff;
    }

    /** Returns why the request must be rejected. */
    public Optional<Refusal> refusal() {
        if (format != FORMAT) {
            return Optional.of(Refusal.INVALID_FORMAT);
        }
        if (queue != 0) {
            return Optional.of(Refusal.INVALID_QUEUE);
        }
        if (sends == 0 || sends >= DiscoveryController.QUEUE_ENTRIES) {
            return Optional.of(Refusal.INVALID_SENDS);
        }
        return receives == 0 ? Optional.of(Refusal.INVALID_RECEIVES) : Optional.empty();
    }

    /** Returns the data of the acceptance, with the number of receives of the controller. */
    public static ByteBuffer reply() {
        return data(REPLY_BYTES, (short) DiscoveryController.QUEUE_ENTRIES);
    }

    private static ByteBuffer data(int bytes, short second) {
        return ByteBuffer.allocate(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort(0, FORMAT)
                .putShort(2, second);
    }
}
