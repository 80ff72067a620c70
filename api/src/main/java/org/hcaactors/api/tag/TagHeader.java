// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a message to a tag-matching shared receive queue begins with ({@code ibv_tmh}; rule tag-header): {@value #BYTES} bytes,
 * big-endian.
 *
 * <p>Immutable.
 *
 * @param appContext of the sender, 32 bits; the receiver's completion has it, and so has the answer to a rendezvous
 * @param tag 64 bits, compared with those of the receives
 */
public record TagHeader(Operation operation, int appContext, long tag) {
    public static final int BYTES = 16;

    /** What the message is ({@code ibv_tm_op}). These are all that there are. */
    public enum Operation {
        /** Not for matching. */
        NO_TAG(0),
        /** A {@link RendezvousHeader} follows, and the receiver fetches the data. */
        RENDEZVOUS(1),
        /** The receiver has fetched the data. */
        FINISHED(2),
        /** The data follow. */
        EAGER(3);

        private final int code;

        Operation(int code) {
            this.code = code;
        }

        /** On the wire. */
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

    /** A message that brings its data. */
    public static TagHeader eager(int appContext, long tag) {
        return new TagHeader(Operation.EAGER, appContext, tag);
    }

    /** A message whose data the receiver fetches. */
    public static TagHeader rendezvous(int appContext, long tag) {
        return new TagHeader(Operation.RENDEZVOUS, appContext, tag);
    }

    /** A message that is not for matching. */
    public static TagHeader untagged(int appContext) {
        return new TagHeader(Operation.NO_TAG, appContext, 0);
    }

    /** What tells the sender of a rendezvous that its data were fetched. */
    public TagHeader finished() {
        return new TagHeader(Operation.FINISHED, appContext, tag);
    }

    /** The next {@value #BYTES} bytes of it, whatever its order is; empty where there are fewer, or where the operation is none. */
    public static Optional<TagHeader> read(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        Optional<Operation> operation = Operation.of(from.get() & 0xFF);
        byte[] rest = new byte[BYTES - 1];
        from.get(rest);
        // ByteBuffer.wrap is big-endian; three reserved bytes, which senders may use as they like, come first.
        ByteBuffer fields = ByteBuffer.wrap(rest).position(3);
        int appContext = fields.getInt();
        long tag = fields.getLong();
        return operation.map(known -> new TagHeader(known, appContext, tag));
    }

    /** Appends {@value #BYTES} bytes, whatever the buffer's order is; BufferOverflowException where there is less room. */
    public void write(ByteBuffer to) {
        to.put(ByteBuffer.allocate(BYTES)
                .put(0, (byte) operation.code)
                .putInt(4, appContext)
                .putLong(8, tag));
    }

    /** The same as an array. */
    public byte[] bytes() {
        ByteBuffer all = ByteBuffer.allocate(BYTES);
        write(all);
        return all.array();
    }
}
