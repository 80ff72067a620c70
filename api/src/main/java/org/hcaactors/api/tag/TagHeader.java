// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Header of a message to a tag-matching shared receive queue ({@code ibv_tmh}; rule tag-header): {@value #BYTES} bytes,
 * big-endian.
 *
 * <p>Immutable.
 *
 * @param appContext of the sender, 32 bits; returned in the receiver's completion and in the answer to a rendezvous
 * @param tag 64 bits, compared with those of the receives
 */
public record TagHeader(Operation operation, int appContext, long tag) {
    public static final int BYTES = 16;

    /** Kind of message ({@code ibv_tm_op}). These are all that there are. */
    public enum Operation {
        /** No tag: not matched. */
        NO_TAG(0),
        /** Rendezvous: a {@link RendezvousHeader} follows, and the receiver fetches the data. */
        RENDEZVOUS(1),
        /** Answer to a rendezvous: the receiver has fetched the data. */
        FINISHED(2),
        /** Eager: the data follow. */
        EAGER(3);

        private final int code;

        Operation(int code) {
            this.code = code;
        }

        /** Returns the code on the wire. */
        public int code() {
            return code;
        }

        static Optional<Operation> of(int code) {
            return switch (code) {
                case 0 -> Optional.of(NO_TAG);
                case 1 -> Optional.of(RENDEZVOUS);
                case 2 -> Optional.of(FINISHED);
                case 3 -> Optional.of(EAGER);
                default -> Optional.empty();
            };
        }
    }

    /** Header of a message with its data. */
    public static TagHeader eager(int appContext, long tag) {
        return new TagHeader(Operation.EAGER, appContext, tag);
    }

    /** Header of a message whose data the receiver fetches. */
    public static TagHeader rendezvous(int appContext, long tag) {
        return new TagHeader(Operation.RENDEZVOUS, appContext, tag);
    }

    /** Header of a message without a tag. */
    public static TagHeader untagged(int appContext) {
        return new TagHeader(Operation.NO_TAG, appContext, 0);
    }

    /** Header of the answer to this rendezvous, after its data were fetched. */
    public TagHeader finished() {
        return new TagHeader(Operation.FINISHED, appContext, tag);
    }

    /**
     * Reads the next {@value #BYTES} bytes, regardless of the buffer's byte order; empty if there are fewer, or for an unknown
     * operation.
     */
    public static Optional<TagHeader> read(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        Optional<Operation> operation = Operation.of(from.get() & 0xFF);
        byte[] rest = new byte[BYTES - 1];
        from.get(rest);
        // ByteBuffer.wrap is big-endian; three reserved bytes, which senders may use freely, precede the context.
        ByteBuffer fields = ByteBuffer.wrap(rest).position(3);
        int appContext = fields.getInt();
        long tag = fields.getLong();
        return operation.map(known -> new TagHeader(known, appContext, tag));
    }

    /** Appends {@value #BYTES} bytes, regardless of the buffer's byte order; BufferOverflowException if there is less space. */
    public void write(ByteBuffer to) {
        to.put(ByteBuffer.allocate(BYTES)
                .put(0, (byte) operation.code)
                .putInt(4, appContext)
                .putLong(8, tag));
    }

    /** Returns the header as an array. */
    public byte[] bytes() {
        ByteBuffer all = ByteBuffer.allocate(BYTES);
        write(all);
        return all.array();
    }
}
