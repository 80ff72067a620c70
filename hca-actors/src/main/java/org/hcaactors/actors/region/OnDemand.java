// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.host.ProcessBytes;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.paging.PagedRange;
import org.hcaactors.adapter.paging.PagingCommand.Piece;
import org.hcaactors.adapter.paging.RegionPager;
import org.hcaactors.adapter.region.Mapping;
import org.hcaactors.adapter.region.OnDemandChecks;
import org.hcaactors.adapter.region.PagedRegion;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

// rule paging-registers
/**
 * Backing of an on-demand region: addresses of a process, with the memory that they have when they are used.
 *
 * @param memoryNamed memory in the registration
 * @param address of the first byte, under the key
 * @param windows types of windows that can be bound
 */
record OnDemand(PagedRange range, Optional<HostMemory> memoryNamed, long address, Region.Windows windows)
        implements RegionBacking {
    /** log2 of the bytes of one entry for a whole address space: 1 GiB. */
    private static final int SLOT_ORDER = 30;

    /** log2 of the size of a process's address space. */
    private static final int ADDRESS_BITS = 47;

    /**
     * Creates the backing; pins nothing.
     *
     * @throws VerbsException EINVAL if the registration is not possible
     */
    static OnDemand of(Registration requested, RegionOwner owner) {
        if (!owner.profile().paging().has(Feature.EXPLICIT)) {
            throw VerbsException.invalid(owner.profile().name() + " does not support on-demand regions");
        }
        return switch (requested.source()) {
            case Source.Mapped mapped -> mapped(mapped, requested, owner);
            case Source.Addresses somewhere -> addresses(somewhere, requested, owner);
            default ->
                throw VerbsException.invalid("on-demand registration is refused for " + requested.source()
                        + "; only existing memory of the process and its addresses are allowed");
        };
    }

    private static OnDemand mapped(Source.Mapped mapped, Registration requested, RegionOwner owner) {
        if (mapped.memory() instanceof PeerMemory peer) {
            throw VerbsException.invalid(
                    peer.describe() + ", can't be registered on demand: its pages do not belong to the host");
        }
        owner.space().require(mapped.memory());
        Mapping.checkPart(mapped.memory(), mapped.offset(), mapped.lengthBytes());
        long first = mapped.memory().address() + mapped.offset();
        return at(first, mapped.lengthBytes(), Optional.of(mapped.memory()), requested, owner);
    }

    private static OnDemand addresses(Source.Addresses somewhere, Registration requested, RegionOwner owner) {
        if (somewhere.address() < 0
                || somewhere.lengthBytes() < 0
                || somewhere.address() + somewhere.lengthBytes() < 0) {
            throw VerbsException.invalid(somewhere + " can't be registered; the range must end below 2^63");
        }
        boolean whole = somewhere.equals(Source.Addresses.WHOLE);
        if (whole && !owner.profile().paging().has(Feature.IMPLICIT)) {
            throw VerbsException.invalid(owner.profile().name() + " does not support regions of a whole address space");
        }
        if (whole && requested.address().isPresent()) {
            throw VerbsException.invalid(
                    somewhere + " can't be registered at another address; its key uses the process's addresses");
        }
        return at(somewhere.address(), somewhere.lengthBytes(), Optional.empty(), requested, owner);
    }

    // rule paging-capi
    static boolean isByHost(RegionOwner owner) {
        return owner.profile().paging().has(Feature.HOST_TABLES);
    }

    private static OnDemand at(
            long first, long lengthBytes, Optional<HostMemory> named, Registration requested, RegionOwner owner) {
        OnDemandChecks.check(requested, owner.profile());
        long address = Mapping.shown(requested.address(), first, lengthBytes);
        PagedRange range =
                new PagedRange(owner.space(), first, lengthBytes, owner.pager(), isByHost(owner), order(requested));
        return new OnDemand(range, named, address, Mapping.windows(owner.profile()));
    }

    // rule paging-huge
    private static int order(Registration requested) {
        return requested.hugePages() ? Long.numberOfTrailingZeros(MemoryNode.HUGE_PAGE_BYTES) : PageLayout.MIN_ORDER;
    }

    /** Returns a part by its address under the key; empty if it is not all inside, or has no bytes. */
    Optional<Piece> piece(int key, long at, long count) {
        long offset = at - address;
        boolean inside = offset >= 0 && count > 0 && offset <= lengthBytes() && count <= lengthBytes() - offset;
        return inside ? Optional.of(new Piece(range, key, at + shift(), count)) : Optional.empty();
    }

    @Override
    public CompletionStage<Void> drained() {
        return range.drained();
    }

    @Override
    public KeyKind kind() {
        return range.isByHost() ? KeyKind.HOST_PAGED_REGION : KeyKind.PAGED_REGION;
    }

    @Override
    public long lengthBytes() {
        return range.lengthBytes();
    }

    @Override
    public long processAddress() {
        return range.first();
    }

    @Override
    public long shift() {
        return range.first() - address;
    }

    // rule inline-addresses
    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        return shift() == 0 ? Optional.empty() : Optional.of(InlineCopyFailed.Addresses.SHIFTED);
    }

    // rule pages-entries
    /** One entry for each page; for a whole address space one for each GiB. */
    @Override
    public PageLayout translation() {
        boolean whole = range.lengthBytes() == Source.Addresses.WHOLE.lengthBytes();
        int order = whole ? SLOT_ORDER : range.order();
        long bytes = whole ? 1L << ADDRESS_BITS : range.lengthBytes();
        long inPage = (1L << order) - 1;
        PageType type = range.order() > PageLayout.MIN_ORDER ? PageType.HUGE : PageType.ANON;
        return new PageLayout(type, order, (range.first() & inPage) + bytes + inPage >>> order, OptionalInt.empty());
    }

    @Override
    public HostMemory memory() {
        return memoryNamed.orElseThrow(() -> VerbsException.invalid(
                "a region of an address range has no fixed memory; the memory mapped there may change"));
    }

    @Override
    public void check(AccessFlags rights) {}

    @Override
    public Optional<String> lasting() {
        return Optional.empty();
    }

    @Override
    public TranslatedKey translatedKey(int key, int domain, AccessFlags rights) {
        ProcessBytes bytes = range.space().bytes();
        Region region = new Region(key, domain, address, lengthBytes(), rights, bytes, shift(), windows);
        boolean writable = rights.allows(Access.LOCAL_WRITE) || rights.allows(Access.MW_BIND);
        return new PagedRegion(region, range, bytes, new RegionPager(range, key, writable));
    }

    @Override
    public void aboutToMap(int key) {
        range.open(key);
    }

    @Override
    public void heldBy(MemoryRegion region, Supplier<CompletionStage<Void>> give) {
        range.open(region.lkey());
    }

    @Override
    public void release() {
        range.close();
    }

    // rule paging-reregister
    @Override
    public void replace() {
        range.replace();
    }
}
