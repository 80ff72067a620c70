// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Where the data of a rendezvous are ({@code ibv_rvh}; rule tag-header): {@value #BYTES} bytes behind the {@link TagHeader},
 * big-endian.
 *
 * <p>Immutable.
 *
 * @param data at the sender, whose key lets it be read from afar
 * @param lengthBytes of them, below 2^32
 */
public record RendezvousHeader(RemoteAddress data, long lengthBytes) {
    public static final int BYTES = 16;

    private static final long MAX_BYTES = 0xFFFF_FFFFL;

    public RendezvousHeader {
        if (lengthBytes < 0 || lengthBytes > MAX_BYTES) {
            throw new IllegalArgumentException("a rendezvous of " + lengthBytes + " bytes; 0 to 2^32-1 are allowed");
        }
    }

    /** The next {@value #BYTES} bytes of it, whatever its order is; empty where there are fewer. */
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

    /** Appends {@value #BYTES} bytes, whatever the buffer's order is; BufferOverflowException where there is less room. */
    public void write(ByteBuffer to) {
        to.put(ByteBuffer.allocate(BYTES)
                .putLong(0, data.address())
                .putInt(8, data.rkey())
                .putInt(12, (int) lengthBytes));
    }
}
