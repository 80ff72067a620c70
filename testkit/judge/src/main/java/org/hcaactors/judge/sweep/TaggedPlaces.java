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
 * Where tagged messages are received into: a region of memory, one on demand, the whole address space, or a peer device's memory.
 *
 * @param first offset of the memory in the region
 */
record TaggedPlaces(HostMemory memory, MemoryRegion region, long first) {
    static TaggedPlaces of(World world, Side side, long bytes, SplittableRandom lots) {
        int kind = lots.nextInt(6);
        HostProcess process = side.context().process();
        PagingCapabilities paging = side.adapter().profile().paging();
        if (kind == 0 && paging.has(PagingCapabilities.Feature.IMPLICIT)) {
            HostMemory memory = process.allocate(bytes);
            Registration wanted = Registration.everything().onDemand().allowing(Access.LOCAL_WRITE);
            return new TaggedPlaces(memory, world.await(side.domain().register(wanted)), memory.address());
        }
        if (kind == 1 && paging.has(PagingCapabilities.Feature.EXPLICIT)) {
            HostMemory memory = process.allocate(bytes);
            Registration wanted = Registration.of(memory).onDemand().allowing(Access.LOCAL_WRITE);
            return new TaggedPlaces(memory, world.await(side.domain().register(wanted)), 0);
        }
        if (kind == 2) {
            HostMemory memory = process.allocatePeer(bytes);
            Registration wanted = Registration.of(memory).allowing(Access.LOCAL_WRITE);
            return new TaggedPlaces(memory, world.await(side.domain().register(wanted)), 0);
        }
        return new TaggedPlaces(side.memory(), side.region(), 0);
    }

    TagBuffer buffer(long at, int lengthBytes) {
        return new TagBuffer(region, first + at, lengthBytes);
    }
}
