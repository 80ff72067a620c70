// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Keyed SGL data block descriptor of a command: memory of the host.
 *
 * <p>Immutable.
 *
 * @param lengthBytes 24 bits
 * @param rkey key of the memory
 * @param invalidates true if the host wants the key invalidated by the completion
 */
public record KeyedSgl(long address, int lengthBytes, int rkey, boolean invalidates) {
    private static final int LENGTH_AT = 8;
    private static final int KEY_AT = 11;
    private static final int KIND_AT = 15;
    private static final int KEYED = 4;
    private static final int INVALIDATE = 15;
    private static final int ADDRESS = 0;

    /**
     * Reads the descriptor.
     *
     * @param in 16 bytes from its position, little-endian
     * @throws NvmeRefusal if it is of another kind
     */
    static KeyedSgl read(ByteBuffer in) throws NvmeRefusal {
        int at = in.position();
        int kind = in.get(at + KIND_AT) & 0xff;
        int subtype = kind & 0xf;
        if (kind >> 4 != KEYED || subtype != ADDRESS && subtype != INVALIDATE) {
            throw new NvmeRefusal(NvmeStatus.SGL_DESCRIPTOR_TYPE_INVALID);
        }
        int length = in.getInt(at + LENGTH_AT) & 0xff_ffff;
        return new KeyedSgl(in.getLong(at), length, in.getInt(at + KEY_AT), subtype == INVALIDATE);
    }

    /** Returns the key that the completion invalidates. */
    public OptionalInt invalidate() {
        return invalidates ? OptionalInt.of(rkey) : OptionalInt.empty();
    }
}
