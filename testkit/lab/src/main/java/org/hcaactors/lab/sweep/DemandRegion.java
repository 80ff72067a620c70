// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;

/** A region whose pages come when they are used: the host evicts them, prefetches bring them, and the memory may be unmapped under it. */
final class DemandRegion extends OddRegion {
    private final HostMemory memory;
    private final MemoryRegion region;

    DemandRegion(OddPlace place) {
        super(place);
        memory = place.site().context.process().allocate(BYTES);
        place.begins(Site.PROCESS, memory);
        region = place.setting().world().await(place.domain().register(wanted()));
    }

    /** Of this memory, of its addresses, or of all that there are. */
    private Registration wanted() {
        Registration of = switch (place.lots().nextInt(3)) {
            case 0 -> Registration.everything();
            case 1 -> Registration.addresses(memory.address(), BYTES);
            default -> Registration.of(memory);
        };
        return of.onDemand().allowing(AccessFlags.LOCAL_AND_REMOTE);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return memory.address();
    }

    /** Where no memory is, or where the region does not reach. */
    @Override
    RemoteAddress stray() {
        return new RemoteAddress(region.rkey(), 8);
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, offset, bytes);
    }

    // rules paging-invalidates, paging-contention
    @Override
    void change() {
        int offset = place.lots().nextInt(BYTES);
        int count = 1 + place.lots().nextInt(BYTES - offset);
        if (place.lots().nextInt(3) > 0) {
            if (memory.isMapped()) {
                memory.evict(offset, count);
            }
            return;
        }
        Purpose purpose = Purpose.values()[place.lots().nextInt(Purpose.values().length)];
        Prefetch ahead = Prefetch.of(purpose, new LocalSlice(region.lkey(), memory.address() + offset, count));
        // It may be gone, or what it shows.
        place.setting()
                .promises()
                .verb(
                        "prefetch",
                        place.domain().advise(place.lots().nextBoolean() ? ahead.flushed() : ahead),
                        Errno.EFAULT,
                        Errno.EINVAL);
    }

    @Override
    boolean mishap() {
        if (place.lots().nextBoolean()) {
            // rule paging-unmapped-meanwhile: nothing is pinned
            unmaps("unmapping", memory.closeAsync(), memory);
        } else {
            deregistered();
        }
        return true;
    }

    @Override
    void end() {
        deregistered();
        unmaps("unmapping", memory.closeAsync(), memory);
    }
}
