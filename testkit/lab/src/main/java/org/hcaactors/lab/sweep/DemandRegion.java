// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.Optional;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * A region whose pages come when they are used. Its host evicts them behind the traffic, or its process unmaps them; what is used
 * then has no page any more.
 */
final class DemandRegion extends OddRegion {
    private static final long PAGE = 4096;
    private static final long PAGES = 9;
    private static final long ELSEWHERE = 0x6800_0000_0000L;
    /** Where nobody has memory. */
    private static final long NOWHERE = 0x1000;

    private final boolean whole;
    private final HostMemory memory;
    /** Of what it shows, in the memory: so messages lie across pages now here, now there. */
    private final int skipped;

    private final MemoryRegion region;
    private final long first;
    private boolean unmapped;

    /** @param whole it shows the whole address space, and this memory in it */
    DemandRegion(OddPlace place, boolean whole) {
        super(place);
        this.whole = whole;
        memory = place.site().context.process().allocate(PAGES * PAGE);
        skipped = Long.BYTES * place.lots().nextInt((int) (PAGES * PAGE - BYTES) / Long.BYTES);
        place.begins(Site.PROCESS, memory);
        if (place.lots().nextBoolean()) {
            memory.evict(0, memory.lengthBytes());
        }
        Registration wanted = registration().onDemand().allowing(AccessFlags.LOCAL_AND_REMOTE);
        region = place.setting().world().await(place.domain().register(wanted));
        first = whole ? memory.address() + skipped : region.address();
    }

    private Registration registration() {
        if (whole) {
            return Registration.everything();
        }
        long begins = memory.address() + skipped;
        return switch (place.lots().nextInt(4)) {
            case 0 -> Registration.addresses(begins, BYTES);
            case 1 -> part().at(ELSEWHERE + begins % PAGE);
            default -> part();
        };
    }

    private Registration part() {
        return Registration.of(memory).part(skipped, BYTES);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return first;
    }

    @Override
    boolean isOfUse() {
        return !unmapped;
    }

    @Override
    boolean takesAtomics() {
        return place.site().adapter.profile().paging().uses(Transport.RC).contains(Use.ATOMIC);
    }

    @Override
    RemoteAddress stray() {
        return whole ? new RemoteAddress(region.rkey(), NOWHERE) : super.stray();
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, skipped + offset, bytes);
    }

    /** The host takes some of its pages, or all; or the process touches what was taken. */
    @Override
    void change() {
        if (unmapped || !memory.isMapped()) {
            return;
        }
        switch (place.lots().nextInt(4)) {
            case 0 -> memory.evict(0, memory.lengthBytes());
            case 1 -> memory.read(0, place.lots().nextInt(1, (int) memory.lengthBytes()));
            default -> {
                long from = place.lots().nextLong(memory.lengthBytes());
                memory.evict(from, 1 + place.lots().nextLong(memory.lengthBytes() - from));
            }
        }
    }

    @Override
    boolean mishap() {
        if (place.lots().nextBoolean()) {
            unmapped = true;
            place.setting().promises().verb("unmap under a region on demand", memory.closeAsync());
        } else {
            deregistered();
        }
        return true;
    }

    @Override
    void end() {
        deregistered();
        if (place.lots().nextBoolean()) {
            place.setting().promises().verb("unmap", memory.closeAsync());
        }
    }
}
