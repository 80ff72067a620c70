// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import org.hcaactors.adapter.books.ObjectKind;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.host.HostBuffers;
import org.hcaactors.adapter.host.Pin;
import org.hcaactors.adapter.key.KeyBlueprint;
import org.hcaactors.adapter.key.KeyOwner;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.service.Services;
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
 * @param address of its first byte
 * @param pin keeps the memory mapped until the region is gone
 */
public record RegionBlueprint(
        String process, int domain, HostBuffers memory, long address, long lengthBytes, AccessFlags rights, Pin pin)
        implements KeyBlueprint<MemoryRegion> {
    // rule memory-rights
    /** The memory is pinned from here on. VerbsException (EINVAL) for what is not in the memory, or for rights that go with each other only. */
    public static RegionBlueprint of(Registration wanted, HostBuffers memory, String process, int domain) {
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
        return new RegionBlueprint(
                process, domain, memory, memory.address() + offset, lengthBytes, rights, memory.pin());
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.REGION;
    }

    @Override
    public TranslatedKey behind(int key) {
        return new Region(key, domain, address, lengthBytes, rights, memory);
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
