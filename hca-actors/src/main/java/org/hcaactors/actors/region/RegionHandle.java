// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.actors.key.DomainKey;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.adapter.paging.PagingCommand.Piece;
import org.hcaactors.adapter.region.NullBacking;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.adapter.stage.CloseOnce;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PagingStatistics;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Reregistration;

/**
 * Handle of a registered region. Once the region is deregistered, its key may be reused for another; a closed handle no longer
 * reaches the adapter.
 */
final class RegionHandle implements MemoryRegion, DomainKey {
    /** The text is built only for the resource audit. */
    private record PendingVerb(String name, RegionHandle region) {
        @Override
        public String toString() {
            return name + " of " + region;
        }
    }

    private static final CompletionStage<Void> NONE_IN_PROGRESS = CompletableFuture.completedStage(null);

    private final RegionOwner context;
    private final RegionLifecycle life;
    private final int number;

    /** End of the latest verb; the next one begins then, so that changes of a region run one at a time. */
    private CompletionStage<Void> last = NONE_IN_PROGRESS;

    private final CloseOnce closeOnce = new CloseOnce();

    RegionHandle(int key, RegionAttributes attributes, RegionOwner context) {
        this.context = context;
        number = context.shared().nextNumber();
        life = new RegionLifecycle(key, attributes, this, context);
        attributes.backing().heldBy(this, this::revoke);
    }

    // rule paging-gauges
    /** Completes when the pager has counted the region. */
    CompletionStage<MemoryRegion> counted() {
        return RegionLifecycle.quiet(life.now().attributes().backing()).thenApply(counted -> this);
    }

    @Override
    public int lkey() {
        return life.now().key();
    }

    /** True if the region has a key; otherwise its former key may belong to another object. */
    boolean hasKey() {
        return life.now().health() != RegionLifecycle.Health.KEYLESS;
    }

    // rule memory-one-key
    @Override
    public int rkey() {
        return life.now().attributes().backing() == NullBacking.NOTHING ? 0 : lkey();
    }

    @Override
    public int handle() {
        return number;
    }

    // rules window-post, atomic-tunneled-region
    @Override
    public boolean isBindable() {
        RegionAttributes attributes = life.now().attributes();
        return attributes.backing().lasting().isEmpty() && !attributes.tunnels();
    }

    @Override
    public int domain() {
        return life.now().attributes().domain();
    }

    @Override
    public KeyOwner owner() {
        return context;
    }

    @Override
    public boolean isZeroBased() {
        RegionBacking backing = life.now().attributes().backing();
        return Region.isZeroBased(backing.address(), backing.shift());
    }

    @Override
    public long address() {
        return life.now().attributes().backing().address();
    }

    @Override
    public long processAddress() {
        return life.now().attributes().backing().processAddress();
    }

    @Override
    public long lengthBytes() {
        return life.now().attributes().backing().lengthBytes();
    }

    @Override
    public PageLayout pages() {
        return life.now().attributes().backing().translation();
    }

    @Override
    public PagingStatistics pagingStatistics() {
        return onDemand().map(known -> known.range().statistics()).orElse(PagingStatistics.NONE);
    }

    @Override
    public AccessFlags access() {
        return life.now().attributes().rights();
    }

    @Override
    public HostMemory memory() {
        return life.now().attributes().backing().memory();
    }

    @Override
    public CompletionStage<Void> reregister(Reregistration requested) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletionStage<Void> before;
        synchronized (this) {
            if (closeOnce.isClosing()) {
                return CompletableFuture.failedStage(closedException());
            }
            before = after(end);
        }
        context.commandSender().pending(new PendingVerb("re-registration", this), end);
        StageOutcome.of(before.thenCompose(done -> life.reregister(requested)), end);
        return end.minimalCompletionStage();
    }

    // rule paging-prefetch-legacy
    /** Like the newer verb without flush, for this region only: failures after acceptance are not reported. */
    @Override
    public CompletionStage<Void> prefetch(long offset, long lengthBytes, boolean toWrite) {
        try {
            if (!closeOnce.isClosing()) {
                context.verbs().check(Verb.ADVISE_MR, this);
            }
            if (!context.profile().paging().has(PagingCapabilities.Feature.EXPLICIT)) {
                throw new VerbsException(
                        Errno.EOPNOTSUPP, context.profile().name() + " does not support on-demand regions");
            }
            checkPrefetch(domain(), toWrite ? Purpose.WRITE : Purpose.READ);
            if (OnDemand.isByHost(context)) {
                return CompletableFuture.completedStage(null);
            }
            Optional<Piece> piece = piece(address() + offset, lengthBytes, false);
            return context.pager()
                    .ask(reply -> new PagingCommand.Prefetch(piece.stream().toList(), toWrite, false, false, reply));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private Optional<OnDemand> onDemand() {
        return life.now().attributes().backing() instanceof OnDemand known ? Optional.of(known) : Optional.empty();
    }

    // rule paging-advise
    /** @throws VerbsException EPERM or EINVAL if pages cannot be fetched for that purpose */
    void checkPrefetch(int wantedBy, Purpose purpose) {
        if (domain() != wantedBy) {
            throw new VerbsException(
                    Errno.EPERM,
                    describe() + ", belongs to protection domain " + domain() + "; domain " + wantedBy
                            + " is required");
        }
        if (closeOnce.isClosing()) {
            throw closedException();
        }
        if (onDemand().isEmpty()) {
            throw VerbsException.invalid(
                    describe() + ", can't be prefetched: it is not on demand, and all of its pages are present");
        }
        if (purpose == Purpose.WRITE && !access().allows(Access.LOCAL_WRITE)) {
            throw new VerbsException(
                    Errno.EPERM, describe() + ", can't be prefetched for writing; it allows " + access());
        }
    }

    /**
     * Returns the part; if it is not inside the region, throws VerbsException (EFAULT) if {@code reported}, otherwise returns
     * empty.
     */
    Optional<Piece> piece(long at, long count, boolean reported) {
        Optional<Piece> piece = onDemand().flatMap(known -> known.piece(lkey(), at, count));
        if (piece.isEmpty() && reported && count != 0) {
            throw new VerbsException(
                    Errno.EFAULT, "%d bytes at 0x%x are not all in %s".formatted(count, at, describe()));
        }
        return piece;
    }

    /** Called when the peer memory is taken back: access is denied from then on. */
    CompletionStage<Void> revoke() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        StageOutcome.of(after(end).thenCompose(done -> life.revoke()).exceptionally(failure -> null), end);
        return end;
    }

    private VerbsException closedException() {
        return VerbsException.invalid(describe() + ", is closed");
    }

    @Override
    public CompletionStage<Void> deregister() {
        return verb(() -> closeOnce.startOrRefuse(this::deregister, this::closedException));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return verb(() -> closeOnce.close(this::deregister));
    }

    private CompletionStage<Void> verb(Supplier<CompletionStage<Void>> rest) {
        return context.verbs().begin(Verb.DEREG_MR, this, closeOnce.isClosing(), rest);
    }

    private CompletionStage<Void> deregister(CompletableFuture<Void> end) {
        context.commandSender().pending(new PendingVerb("deregistration", this), end);
        return after(end).thenCompose(done -> life.deregister());
    }

    /** Queues a change: the returned stage completes when the previous change has ended; the next one waits for {@code end}. */
    private synchronized CompletionStage<Void> after(CompletableFuture<Void> end) {
        CompletionStage<Void> before = last;
        last = end.exceptionally(refused -> null);
        return before;
    }

    @Override
    public void close() {
        context.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        String size = lengthBytes() == Long.MAX_VALUE ? "any address" : lengthBytes() + " bytes";
        return "memory region 0x%08x, %s".formatted(lkey(), size);
    }

    @Override
    public String toString() {
        return describe();
    }
}
