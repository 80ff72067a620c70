// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.adapter.books.ObjectKind;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.host.HostBuffers;
import org.hcaactors.adapter.host.Pin;
import org.hcaactors.adapter.key.KeyBlueprint;
import org.hcaactors.adapter.key.KeyOwner;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.service.Services;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.fabric.flow.Element;

/**
 * How a memory region is made.
 *
 * @param process name of the one that registers
 * @param domain number of its protection domain
 * @param memory it is a part of
 * @param address of its first byte, under the key
 * @param shift from an address under the key to that of the byte in the process
 * @param windows which of them can be bound
 * @param pin keeps the memory mapped until the region is gone
 */
public record RegionBlueprint(
        String process,
        int domain,
        HostBuffers memory,
        long address,
        long lengthBytes,
        AccessFlags rights,
        long shift,
        Region.Windows windows,
        Pin pin)
        implements KeyBlueprint<MemoryRegion> {
    private static final long IN_PAGE = 4096 - 1;

    // rule memory-rights
    /**
     * The memory is pinned from here on. VerbsException (EINVAL) for what is not in the memory, can't stand at the address, or
     * for rights that go with each other only.
     */
    public static RegionBlueprint of(
            Registration wanted, HostBuffers memory, String process, int domain, Profile profile) {
        long offset = wanted.offset();
        long lengthBytes = wanted.lengthBytes();
        if (offset < 0 || lengthBytes < 0 || lengthBytes > memory.lengthBytes() - offset) {
            throw VerbsException.invalid(
                    "offset " + offset + ", " + lengthBytes + " bytes; the memory has " + memory.lengthBytes());
        }
        AccessFlags rights = wanted.rights();
        if (!rights.isConsistentForRegistration()) {
            throw VerbsException.invalid(rights + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE");
        }
        long first = memory.address() + offset;
        long address = shown(wanted.address(), first, lengthBytes);
        return new RegionBlueprint(
                process,
                domain,
                memory,
                address,
                lengthBytes,
                rights,
                first - address,
                profile.has(Quirk.BINDS_WINDOWS_BEYOND_REGIONS) ? Region.Windows.ANYWHERE : Region.Windows.INSIDE,
                memory.pin());
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
    public ObjectKind kind() {
        return ObjectKind.REGION;
    }

    @Override
    public TranslatedKey behind(int key) {
        return new Region(key, domain, address, lengthBytes, rights, memory, shift, windows);
    }

    @Override
    public void announce(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.Registered(
                            at,
                            services.adapter(),
                            Element.key(key),
                            HcaEvent.KeyKind.MEMORY_REGION,
                            List.of(),
                            process,
                            domain,
                            address,
                            lengthBytes,
                            rights));
        }
    }

    @Override
    public MemoryRegion handle(int key, KeyOwner owner) {
        RegionHandle region = new RegionHandle(key, this, owner);
        pin.heldBy(region);
        return region;
    }

    @Override
    public void refused() {
        pin.release();
    }
}
