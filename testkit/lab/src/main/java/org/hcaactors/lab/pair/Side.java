// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.network.RdmaNetwork;

/**
 * Environment of one or several ends: a protection domain of a process, and memory in it.
 *
 * @param region a region over all of the memory, with every access right
 */
public record Side(
        Adapter adapter, DeviceContext context, ProtectionDomain domain, HostMemory memory, MemoryRegion region) {
    /** Creates a side with its own context. */
    public static Side of(RdmaNetwork network, Adapter adapter, String process, long memoryBytes) {
        return within(network, adapter.process(process).open().allocatePd(), memoryBytes);
    }

    /** Creates a side with its own memory, in a domain that other sides may share. */
    public static Side within(RdmaNetwork network, ProtectionDomain domain, long memoryBytes) {
        DeviceContext context = domain.context();
        HostProcess process = context.process();
        HostMemory memory = process.allocate(memoryBytes);
        MemoryRegion region =
                network.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        return new Side(context.adapter(), context, domain, memory, region);
    }

    public LocalSlice slice(long offset, int lengthBytes) {
        return region.slice(offset, lengthBytes);
    }

    public RemoteAddress remote(long offset) {
        return region.remote(offset);
    }
}
