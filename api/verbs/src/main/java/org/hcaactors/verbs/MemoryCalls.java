// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;

/**
 * Calls for protection domains and regions. A region keeps the range of the program's memory mapped that it was registered with;
 * on-demand regions need none. Any thread; waits.
 */
final class MemoryCalls {
    /** A protection domain of the program ({@code ibv_pd}). */
    record Domain(OpenedDevice device, ProtectionDomain domain) implements Opened {}

    /** A region of the program ({@code ibv_mr}); its memory changes when it is registered again. */
    static final class Region implements Opened {
        private final OpenedDevice device;
        private final MemoryRegion region;
        private Optional<HostMemory> memory;

        Region(OpenedDevice device, MemoryRegion region, Optional<HostMemory> memory) {
            this.device = device;
            this.region = region;
            this.memory = memory;
        }

        @Override
        public OpenedDevice device() {
            return device;
        }

        MemoryRegion region() {
            return region;
        }

        private synchronized Optional<HostMemory> swapMemory(Optional<HostMemory> next) {
            Optional<HostMemory> last = memory;
            memory = next;
            return last;
        }
    }

    /** A range to register, and the mapping that it needs. */
    private record Place(Registration registration, Optional<HostMemory> memory) {}

    private final Session session;

    MemoryCalls(Session session) {
        this.session = session;
    }

    void allocateDomain(Block words) {
        OpenedDevice device = session.get(words, Calls.AllocPd.CONTEXT, OpenedDevice.class);
        session.add(words, Calls.AllocPd.PD, new Domain(device, device.context().allocatePd()));
    }

    void deallocateDomain(Block words) {
        session.await(
                session.get(words, Calls.DeallocPd.PD, Domain.class).domain().closeAsync());
        session.remove(words, Calls.DeallocPd.PD);
    }

    void register(Block words) {
        Domain domain = session.get(words, Calls.RegisterRegion.PD, Domain.class);
        Place place = place(
                words.word(Calls.RegisterRegion.ADDRESS),
                words.word(Calls.RegisterRegion.LENGTH),
                words.word(Calls.RegisterRegion.IOVA),
                words.word(Calls.RegisterRegion.ACCESS));
        Region region = registered(domain, place.memory, domain.domain.register(place.registration));
        session.add(words, Calls.RegisterRegion.REGION, region);
        words.putUnsigned(Calls.RegisterRegion.LKEY, region.region.lkey());
        words.putUnsigned(Calls.RegisterRegion.RKEY, region.region.rkey());
    }

    private Region registered(Domain domain, Optional<HostMemory> memory, CompletionStage<MemoryRegion> verb) {
        try {
            return new Region(domain.device, session.await(verb), memory);
        } catch (RuntimeException refused) {
            unmap(memory);
            throw refused;
        }
    }

    private Place place(long address, long lengthBytes, long iova, long access) {
        boolean onDemand = Rights.has(access, Calls.Access.ON_DEMAND);
        Optional<HostMemory> memory = onDemand
                ? Optional.empty()
                : Optional.of(session.served().process().mapAt(address, lengthBytes));
        try {
            Registration wanted = memory.map(Registration::of)
                    .orElseGet(() -> onDemand(address, lengthBytes))
                    .withAccess(Rights.read(access));
            return new Place(at(wanted, iova, access), memory);
        } catch (RuntimeException refused) {
            unmap(memory);
            throw refused;
        }
    }

    private static Registration onDemand(long address, long lengthBytes) {
        boolean isWhole = address == 0 && (lengthBytes == -1 || lengthBytes == Long.MAX_VALUE);
        return (isWhole ? Registration.wholeAddressSpace() : Registration.addresses(address, lengthBytes))
                .withOnDemandPaging();
    }

    private static Registration at(Registration place, long iova, long access) {
        boolean isWhole = place.source().equals(Registration.Source.Addresses.WHOLE);
        Registration wanted = Rights.has(access, Calls.Access.HUGETLB) ? place.withHugePages() : place;
        if (Rights.has(access, Calls.Access.ZERO_BASED)) {
            return wanted.withZeroBased();
        }
        return isWhole ? wanted : wanted.withAddress(iova);
    }

    private void unmap(Optional<HostMemory> memory) {
        memory.ifPresent(mapped -> session.await(mapped.closeAsync()));
    }

    void deregister(Block words) {
        Region region = session.get(words, Calls.DeregisterRegion.REGION, Region.class);
        session.await(region.region.deregister());
        unmap(region.swapMemory(Optional.empty()));
        session.remove(words, Calls.DeregisterRegion.REGION);
    }

    void reregister(Block words) {
        Region region = session.get(words, Calls.ReregisterRegion.REGION, Region.class);
        long flags = words.word(Calls.ReregisterRegion.FLAGS);
        Reregistration wanted = Reregistration.of(changes(flags));
        if ((flags & Calls.Rereg.ACCESS) != 0) {
            wanted = wanted.withAccess(Rights.read(words.word(Calls.ReregisterRegion.ACCESS)));
        }
        if ((flags & Calls.Rereg.PD) != 0) {
            wanted = wanted.withDomain(
                    session.get(words, Calls.ReregisterRegion.PD, Domain.class).domain());
        }
        if ((flags & Calls.Rereg.TRANSLATION) == 0) {
            session.await(region.region.reregister(wanted));
        } else {
            translate(region, words, wanted);
        }
        words.putUnsigned(Calls.ReregisterRegion.LKEY, region.region.lkey());
        words.putUnsigned(Calls.ReregisterRegion.RKEY, region.region.rkey());
    }

    private void translate(Region region, Block words, Reregistration wanted) {
        long address = words.word(Calls.ReregisterRegion.ADDRESS);
        Place place = place(
                address, words.word(Calls.ReregisterRegion.LENGTH), address, words.word(Calls.ReregisterRegion.ACCESS));
        try {
            session.await(region.region.reregister(wanted.withTranslation(place.registration)));
        } catch (RuntimeException refused) {
            unmap(place.memory);
            throw refused;
        }
        unmap(region.swapMemory(place.memory));
    }

    private static Reregistration.Change[] changes(long flags) {
        List<Reregistration.Change> all = new ArrayList<>();
        for (Reregistration.Change change : Reregistration.Change.values()) {
            if ((flags & change.bit()) != 0) {
                all.add(change);
            }
        }
        return all.toArray(Reregistration.Change[]::new);
    }

    void allocateNull(Block words) {
        Domain domain = session.get(words, Calls.AllocNullRegion.PD, Domain.class);
        Region region = registered(domain, Optional.empty(), domain.domain.allocateNullMr());
        session.add(words, Calls.AllocNullRegion.REGION, region);
        words.putUnsigned(Calls.AllocNullRegion.LKEY, region.region.lkey());
        words.putUnsigned(Calls.AllocNullRegion.RKEY, region.region.rkey());
    }

    void advise(Block words) {
        Domain domain = session.get(words, Calls.Advise.PD, Domain.class);
        Prefetch.Purpose purpose = purpose(words.number(Calls.Advise.ADVICE));
        boolean flush = (words.word(Calls.Advise.FLAGS) & Calls.AdviseFlag.FLUSH) != 0;
        List<LocalSlice> slices = ElementList.read(words.word(Calls.Advise.ELEMENTS), words.number(Calls.Advise.COUNT));
        session.await(domain.domain.advise(new Prefetch(purpose, flush, slices)));
    }

    private static Prefetch.Purpose purpose(int advice) {
        return switch (advice) {
            case Calls.Advice.PREFETCH -> Prefetch.Purpose.READ;
            case Calls.Advice.PREFETCH_WRITE -> Prefetch.Purpose.WRITE;
            case Calls.Advice.PREFETCH_NO_FAULT -> Prefetch.Purpose.RESIDENT;
            default -> throw VerbsException.invalid("the advice is " + advice + "; 0 to 2 is allowed");
        };
    }
}
