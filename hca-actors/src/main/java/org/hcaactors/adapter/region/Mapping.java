// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.OptionalLong;
import org.hcaactors.adapter.host.HostBuffers;
import org.hcaactors.adapter.host.Pin;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.Registration;

/**
 * A range of a process's memory, page by page.
 *
 * @param first address of its first byte, in the process
 * @param address of its first byte, under the key
 * @param windows which of them can be bound
 * @param pin keeps the memory mapped until the region is gone
 */
record Mapping(HostBuffers buffers, long first, long address, long lengthBytes, Region.Windows windows, Pin pin)
        implements Backing {
    private static final int PAGE_SHIFT = 12;
    private static final long IN_PAGE = (1L << PAGE_SHIFT) - 1;

    /** The memory is pinned from here on. VerbsException (EINVAL) for what is not in the memory, or can't stand at the address. */
    static Mapping of(Registration wanted, HostBuffers memory, Profile profile) {
        long offset = wanted.offset();
        long lengthBytes = wanted.lengthBytes();
        if (offset < 0 || lengthBytes < 0 || lengthBytes > memory.lengthBytes() - offset) {
            throw VerbsException.invalid(
                    "offset " + offset + ", " + lengthBytes + " bytes; the memory has " + memory.lengthBytes());
        }
        long first = memory.address() + offset;
        long address = shown(wanted.address(), first, lengthBytes);
        boolean anywhere = profile.has(Quirk.BINDS_WINDOWS_BEYOND_REGIONS);
        Region.Windows windows = anywhere ? Region.Windows.ANYWHERE : Region.Windows.INSIDE;
        return new Mapping(memory, first, address, lengthBytes, windows, memory.pin());
    }

    // rule memory-iova
    private static long shown(OptionalLong wanted, long first, long lengthBytes) {
        long address = wanted.orElse(first);
        if ((address & IN_PAGE) != (first & IN_PAGE)) {
            throw VerbsException.invalid(
                    "a region at 0x%x of memory at 0x%x: the last 12 bits of both must be the same, as a page is mapped to a page"
                            .formatted(address, first));
        }
        if (Long.compareUnsigned(address, -lengthBytes) > 0 && lengthBytes != 0) {
            throw VerbsException.invalid(
                    "a region at 0x%x with %d bytes; addresses have 64 bits".formatted(address, lengthBytes));
        }
        return address;
    }

    @Override
    public long shift() {
        return first - address;
    }

    @Override
    public long pages() {
        return (first & IN_PAGE) + lengthBytes + IN_PAGE >>> PAGE_SHIFT;
    }

    @Override
    public HostMemory memory() {
        return buffers;
    }

    @Override
    public TranslatedKey behind(int key, int domain, AccessFlags rights) {
        return new Region(key, domain, address, lengthBytes, rights, buffers, shift(), windows);
    }

    @Override
    public void heldBy(Handle region) {
        pin.heldBy(region);
    }

    @Override
    public void release() {
        pin.release();
    }
}
