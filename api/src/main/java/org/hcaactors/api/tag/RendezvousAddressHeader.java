// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.address.DcAccessKey;

/**
 * Header that names the DC target for a rendezvous over DC ({@code ibv_ravh}; rule rendezvous-dc): {@value #BYTES} bytes after
 * the {@link RendezvousHeader}, big-endian. The target is on the port that sent the message.
 *
 * <p>Immutable.
 *
 * @param serviceLevel 8 bits; unused on RoCE
 * @param dctNumber number of the target, 24 bits
 * @param accessKey access key of the target
 */
public record RendezvousAddressHeader(int serviceLevel, int dctNumber, DcAccessKey accessKey) {
    public static final int BYTES = 16;

    private static final int MAX_TARGET = 0xFF_FFFF;
    private static final int MAX_LEVEL = 0xFF;

    public RendezvousAddressHeader {
        Objects.requireNonNull(accessKey, "accessKey is null; the header requires the target's access key");
        if (serviceLevel < 0 || serviceLevel > MAX_LEVEL) {
            throw new IllegalArgumentException("the service level is " + serviceLevel + "; 0 to 255 is allowed");
        }
        if (dctNumber < 0 || dctNumber > MAX_TARGET) {
            throw new IllegalArgumentException("the DC target number is " + dctNumber + "; 0 to 0xffffff is allowed");
        }
    }

    /** With service level 0. */
    public static RendezvousAddressHeader of(int dctNumber, DcAccessKey accessKey) {
        return new RendezvousAddressHeader(0, dctNumber, accessKey);
    }

    /** Reads the next {@value #BYTES} bytes, regardless of the buffer's byte order; empty if there are fewer. */
    public static Optional<RendezvousAddressHeader> read(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        byte[] all = new byte[BYTES];
        from.get(all);
        ByteBuffer fields = ByteBuffer.wrap(all);
        int first = fields.getInt(0);
        return Optional.of(
                new RendezvousAddressHeader(first >>> 24, first & MAX_TARGET, DcAccessKey.of(fields.getLong(8))));
    }

    /** Appends {@value #BYTES} bytes, regardless of the buffer's byte order; BufferOverflowException if there is less space. */
    public void write(ByteBuffer to) {
        to.put(ByteBuffer.allocate(BYTES)
                .putInt(0, serviceLevel << 24 | dctNumber)
                .putLong(8, accessKey.value()));
    }
}
