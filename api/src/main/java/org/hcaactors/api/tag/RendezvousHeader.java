// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Header that describes the data of a rendezvous ({@code ibv_rvh}; rule tag-header): {@value #BYTES} bytes after the {@link
 * TagHeader}, big-endian.
 *
 * <p>Immutable.
 *
 * @param data address at the sender, with a key that permits remote read
 * @param lengthBytes length of the data, below 2^32
 */
public record RendezvousHeader(RemoteAddress data, long lengthBytes) {
    public static final int BYTES = 16;

    private static final long MAX_BYTES = 0xFFFF_FFFFL;

    public RendezvousHeader {
        if (lengthBytes < 0 || lengthBytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the length of a rendezvous is " + lengthBytes + " bytes; 0 to 2^32-1 is allowed");
        }
    }

    /** Reads the next {@value #BYTES} bytes, regardless of the buffer's byte order; empty if there are fewer. */
    public static Optional<RendezvousHeader> read(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        byte[] all = new byte[BYTES];
        from.get(all);
        ByteBuffer fields = ByteBuffer.wrap(all);
        long address = fields.getLong();
        int rkey = fields.getInt();
        return Optional.of(new RendezvousHeader(new RemoteAddress(rkey, address), fields.getInt() & MAX_BYTES));
    }

    /** Appends {@value #BYTES} bytes, regardless of the buffer's byte order; BufferOverflowException if there is less space. */
    public void write(ByteBuffer to) {
        to.put(ByteBuffer.allocate(BYTES)
                .putLong(0, data.address())
                .putInt(8, data.rkey())
                .putInt(12, (int) lengthBytes));
    }
}
