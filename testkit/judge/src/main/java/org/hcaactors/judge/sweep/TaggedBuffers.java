// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * Memory for tagged receives: an ordinary region, one on demand, the whole address space, or a peer device's memory.
 *
 * @param first offset of the memory in the region
 */
record TaggedBuffers(HostMemory memory, MemoryRegion region, long first) {
    static TaggedBuffers of(World world, Side side, long bytes, SplittableRandom random) {
        int kind = random.nextInt(6);
        HostProcess process = side.context().process();
        PagingCapabilities paging = side.adapter().profile().paging();
        if (kind == 0 && paging.has(PagingCapabilities.Feature.IMPLICIT)) {
            HostMemory memory = process.allocate(bytes);
            Registration requested =
                    Registration.wholeAddressSpace().withOnDemandPaging().withAccess(Access.LOCAL_WRITE);
            return new TaggedBuffers(memory, world.await(side.domain().register(requested)), memory.address());
        }
        if (kind == 1 && paging.has(PagingCapabilities.Feature.EXPLICIT)) {
            HostMemory memory = process.allocate(bytes);
            Registration requested =
                    Registration.of(memory).withOnDemandPaging().withAccess(Access.LOCAL_WRITE);
            return new TaggedBuffers(memory, world.await(side.domain().register(requested)), 0);
        }
        if (kind == 2) {
            HostMemory memory = process.allocatePeer(bytes);
            Registration requested = Registration.of(memory).withAccess(Access.LOCAL_WRITE);
            return new TaggedBuffers(memory, world.await(side.domain().register(requested)), 0);
        }
        return new TaggedBuffers(side.memory(), side.region(), 0);
    }

    TagBuffer buffer(long at, int lengthBytes) {
        return TagBuffer.of(region, first + at, lengthBytes);
    }
}
