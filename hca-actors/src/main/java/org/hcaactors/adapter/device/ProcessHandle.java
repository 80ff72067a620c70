package org.hcaactors.adapter.device;

import java.nio.ByteBuffer;
import org.hcaactors.adapter.memory.AddressSpace;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.HostMemory;

/** A process of the host: an address space. */
final class ProcessHandle implements HostProcess {
    private final String name;
    private final AdapterHandle adapter;
    private final AddressSpace space = new AddressSpace();

    ProcessHandle(String name, AdapterHandle adapter) {
        this.name = name;
        this.adapter = adapter;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public HostMemory map(ByteBuffer direct) {
        return space.map(direct);
    }

    @Override
    public HostMemory allocate(long lengthBytes) {
        return space.allocate(lengthBytes);
    }

    @Override
    public DeviceContext open() {
        return new ContextHandle(adapter, this);
    }

    AddressSpace space() {
        return space;
    }
}
