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

    /** A part of a region; IllegalArgumentException for what is not in it. */
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

    /** EINVAL for a region of no process's addresses: the program could not copy to it what the adapter does not expect. */
    void checkReach() {
        region.processAddress();
    }

    /** As the program does it, wherever its addresses lead: a region on demand names no memory. */
    void write(HostProcess process, byte[] bytes) {
        process.write(region.processAddress() + offset, bytes);
    }

    /** What describes data that the adapter leaves to the program, as far as there is room; empty where it can't be read any more. */
    Optional<byte[]> begin(HostProcess process, long written) {
        int described = (int) Math.min(Math.min(written, lengthBytes), RendezvousHeader.BYTES);
        try {
            return Optional.of(process.read(region.processAddress() + offset, described));
        } catch (VerbsException gone) {
            return Optional.empty();
        }
    }
}
