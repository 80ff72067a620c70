package org.hcaactors.adapter.device;

import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.memory.Pin;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;

/**
 * A registered region.
 *
 * @param pin keeps the memory mapped until the region is gone
 */
record RegionHandle(
        int key, long address, long lengthBytes, AccessFlags access, HostMemory memory, DomainHandle domain, Pin pin)
        implements MemoryRegion {
    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public CompletionStage<Void> deregister() {
        return domain.deregister(this);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return deregister();
    }

    @Override
    public void close() {
        domain.await(closeAsync());
    }

    @Override
    public String describe() {
        return "memory region 0x%08x, %d bytes".formatted(key, lengthBytes);
    }
}
