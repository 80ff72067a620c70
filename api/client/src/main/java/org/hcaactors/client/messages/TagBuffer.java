// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.Optional;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.tag.RendezvousHeader;

/**
 * A part of a region, as source or destination of a message.
 *
 * <p>Immutable.
 *
 * @param region with LOCAL_WRITE as destination, REMOTE_READ as source
 * @param offset from the region's first byte
 * @param lengthBytes 0 to 2^31-1
 */
public record TagBuffer(MemoryRegion region, long offset, int lengthBytes) {
    public TagBuffer {
        if (offset < 0 || lengthBytes < 0 || lengthBytes > region.lengthBytes() - offset) {
            throw new IllegalArgumentException("%d bytes at offset %d are not inside the region of %d bytes"
                    .formatted(lengthBytes, offset, region.lengthBytes()));
        }
    }

    /** All of a region, which is shorter than 2^31 bytes. */
    public static TagBuffer of(MemoryRegion region) {
        return new TagBuffer(region, 0, Math.toIntExact(region.lengthBytes()));
    }

    /** A part of a region; IllegalArgumentException if it is not inside the region. */
    public static TagBuffer of(MemoryRegion region, long offset, int lengthBytes) {
        return new TagBuffer(region, offset, lengthBytes);
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

    /** EINVAL for a region without process addresses: the program could not copy unexpected messages to it. */
    void checkAddressable() {
        region.processAddress();
    }

    /** Writes to the addresses of the process, because an on-demand region may have no memory object. */
    void write(HostProcess process, byte[] bytes) {
        process.write(region.processAddress() + offset, bytes);
    }

    /**
     * Reads the description of data that the adapter left to the program, limited by the buffer; empty if it cannot be read any
     * more.
     */
    Optional<byte[]> begin(HostProcess process, long written) {
        int described = (int) Math.min(Math.min(written, lengthBytes), RendezvousHeader.BYTES);
        try {
            return Optional.of(process.read(region.processAddress() + offset, described));
        } catch (VerbsException failure) {
            return Optional.empty();
        }
    }
}
