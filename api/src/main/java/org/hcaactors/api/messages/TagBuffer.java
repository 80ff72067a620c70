// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.messages;

import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * A part of a region, from which a message is sent or into which it comes.
 *
 * <p>Immutable.
 *
 * @param region with LOCAL_WRITE for what comes, REMOTE_READ for what is sent
 * @param offset from the region's first byte
 * @param lengthBytes 0 to 2^31-1
 */
public record TagBuffer(MemoryRegion region, long offset, int lengthBytes) {
    public TagBuffer {
        if (offset < 0 || lengthBytes < 0 || lengthBytes > region.lengthBytes() - offset) {
            throw new IllegalArgumentException(
                    "%d bytes from %d on of a region of %d".formatted(lengthBytes, offset, region.lengthBytes()));
        }
    }

    /** All of a region, which is shorter than 2^31 bytes. */
    public static TagBuffer of(MemoryRegion region) {
        return new TagBuffer(region, 0, Math.toIntExact(region.lengthBytes()));
    }

    LocalSlice slice() {
        return region.slice(offset, lengthBytes);
    }

    LocalSlice first(int count) {
        return region.slice(offset, count);
    }

    RemoteAddress remote() {
        return region.remote(offset);
    }

    void write(byte[] bytes) {
        region.memory().write(inMemory(), bytes);
    }

    byte[] read(int count) {
        return region.memory().read(inMemory(), count);
    }

    private long inMemory() {
        return region.processAddress() - region.memory().address() + offset;
    }
}
