package org.hcaactors.lab.pair;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * One end of a connection with all that it needs to talk.
 *
 * @param memory registered as a whole, with every right
 */
public record End(
        Adapter adapter,
        DeviceContext context,
        ProtectionDomain domain,
        HostMemory memory,
        MemoryRegion region,
        CompletionQueue sendCq,
        CompletionQueue recvCq,
        RcQueuePair qp) {
    /** As ladders and explanations name its queue pair: {@code a/qp17}. */
    public String label() {
        return adapter.name() + "/qp" + qp.number();
    }

    public LocalSlice slice(long offset, int lengthBytes) {
        return region.slice(offset, lengthBytes);
    }

    public RemoteAddress remote(long offset) {
        return region.remote(offset);
    }
}
