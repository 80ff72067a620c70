// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;

/**
 * Memory of one node whose bytes an indirect key shows in another order. The order is constant for the key's lifetime: each UMR
 * fill maps it through different keys. So a request in progress during a fill finds the same bytes.
 */
final class IndirectKeyMemory {
    /** Maximum number of entries of a key, which also fit in a request. */
    static final int ENTRIES = 4;

    /** Size of the sources, which the targets follow. */
    private static final int HALF = SweepNode.CELL * SweepNode.CELLS;

    /** Lengths of strided blocks. */
    private static final int[] PIECES = {1, 5, 16, 50, 640, 1000};

    private final SweepContext sweep;
    private final SweepNode site;
    private final SplittableRandom random;
    private final KeyLayout order;
    /** Selects pages that the host evicts during the traffic; empty if all pages are pinned. */
    private final Optional<SplittableRandom> evictions;

    private final HostMemory memory;
    private final MemoryRegion region;
    private final MemoryRegion again;
    /** Regions that the key must not map: of another domain, of the first bytes only, not writable. */
    private final List<MemoryRegion> unfit;

    private final IndirectKey key;
    /** Key that maps all of the memory in its own order; filled once. */
    private final IndirectKey inner;

    private MemoryRegion part;
    private long requests;

    IndirectKeyMemory(SweepContext sweep, SweepNode site, SplittableRandom random) {
        this.sweep = sweep;
        this.site = site;
        this.random = random;
        evictions = DemandRegion.evictions(sweep, site);
        order = random.nextBoolean() ? blocks() : strides();
        memory = site.context.process().allocate(order.lengthBytes());
        byte[] pattern = new byte[(int) order.lengthBytes()];
        random.nextBytes(pattern);
        memory.write(0, pattern);
        region = register();
        again = register();
        part = register();
        unfit = List.of(
                register(site.context.allocatePd(), whole().withAccess(Access.values())),
                register(site.domain, whole().withRange(0, 100).withAccess(AccessFlags.LOCAL_AND_REMOTE)),
                register(site.domain, whole().withAccess(Access.REMOTE_READ)));
        key = create();
        inner = create();
    }

    private IndirectKey create() {
        return sweep.world().await(site.domain.createIndirectKey(IndirectKeyDescription.of(ENTRIES)));
    }

    private MemoryRegion register() {
        return register(site.domain, whole().withAccess(AccessFlags.LOCAL_AND_REMOTE));
    }

    private Registration whole() {
        Registration whole = Registration.of(memory);
        return evictions.isPresent() ? whole.withOnDemandPaging() : whole;
    }

    private MemoryRegion register(ProtectionDomain domain, Registration requested) {
        return sweep.world().await(domain.register(requested));
    }

    /** Evicts unpinned pages during the traffic, occasionally. */
    void evict() {
        evictions.filter(rarely -> memory.isMapped() && rarely.nextInt(8) == 0).ifPresent(which -> {
            long from = which.nextLong(memory.lengthBytes());
            memory.evict(from, 1 + which.nextLong(memory.lengthBytes() - from));
        });
    }

    // --- the order: the addresses of its slices are offsets in the memory ---

    private KeyLayout blocks() {
        int first = 1 + random.nextInt(HALF);
        int second = first + 1 + random.nextInt(HALF - 1);
        return KeyLayout.list(
                new LocalSlice(0, second, 2 * HALF - second),
                new LocalSlice(0, 0, first),
                new LocalSlice(0, first, second - first));
    }

    /** Returns an interleaved layout: of three adjacent blocks the last is first. */
    private KeyLayout strides() {
        int piece = PIECES[random.nextInt(PIECES.length)];
        int cycle = 3 * piece;
        return KeyLayout.interleaved(
                (2 * HALF + cycle - 1) / cycle,
                new StridedSlice(0, 2L * piece, piece, 2 * piece),
                new StridedSlice(0, 0, piece, 2 * piece),
                new StridedSlice(0, piece, piece, 2 * piece));
    }

    /** Returns the bytes that the key shows at the offset. */
    byte[] read(int offset, int bytes) {
        byte[] shown = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            shown[i] = memory.read(place(offset + i), 1)[0];
        }
        return shown;
    }

    private long place(int offset) {
        int cycle = order.slices().stream().mapToInt(StridedSlice::lengthBytes).sum();
        int left = offset % cycle;
        for (StridedSlice slice : order.slices()) {
            if (left < slice.lengthBytes()) {
                return slice.address() + offset / cycle * slice.strideBytes() + left;
            }
            left -= slice.lengthBytes();
        }
        throw new IllegalArgumentException("byte " + offset + " is not a byte of this key");
    }

    static int source(int cell) {
        return cell * SweepNode.CELL;
    }

    static int target(int cell) {
        return HALF + cell * SweepNode.CELL;
    }

    // --- what is done to the key ---

    IndirectKey key() {
        return key;
    }

    CompletionStage<WorkCompletion> fillInner(RcQueuePair by) {
        KeyLayout whole = KeyLayout.list(region.slice(0, (int) memory.lengthBytes()));
        return by.submit(FillKey.of(++requests, inner, whole).withAccess(AccessFlags.LOCAL_AND_REMOTE));
    }

    /** Fills the key correctly; a list may have one more slice. */
    CompletionStage<WorkCompletion> fill(RcQueuePair by) {
        List<StridedSlice> slices = new ArrayList<>();
        order.slices().forEach(slice -> slices.add(anyKey(slice)));
        if (!order.isInterleaved() && random.nextBoolean()) {
            StridedSlice whole = order.slices().getFirst();
            int cut = random.nextInt(whole.lengthBytes() + 1);
            slices.set(0, anyKey(new StridedSlice(0, whole.address(), cut, 0)));
            slices.add(1, anyKey(new StridedSlice(0, whole.address() + cut, whole.lengthBytes() - cut, 0)));
        }
        return fill(by, slices);
    }

    /** Fills the key with one slice under an unsuitable or invalid key. */
    CompletionStage<WorkCompletion> fillWrongly(RcQueuePair by) {
        List<StridedSlice> slices =
                new ArrayList<>(order.slices().stream().map(this::anyKey).toList());
        int wrong = random.nextInt(slices.size());
        StridedSlice slice = order.slices().get(wrong);
        slices.set(
                wrong,
                switch (random.nextInt(5)) {
                    case 0 -> under(region.lkey() ^ 1, memory.address(), slice);
                    case 1 -> under(key.lkey(), 0, slice);
                    default -> under(unfit.get(random.nextInt(unfit.size())).lkey(), memory.address(), slice);
                });
        return fill(by, slices);
    }

    /** Posts the fill, fenced: otherwise a READ in progress would be written according to the new layout. */
    private CompletionStage<WorkCompletion> fill(RcQueuePair by, List<StridedSlice> slices) {
        KeyLayout layout = order.isInterleaved()
                ? KeyLayout.interleaved(order.repeatCount(), slices)
                : KeyLayout.list(slices.stream()
                        .map(slice -> new LocalSlice(slice.lkey(), slice.address(), slice.lengthBytes()))
                        .toList());
        return by.submit(FillKey.of(++requests, key, layout)
                .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                .withFence());
    }

    CompletionStage<WorkCompletion> invalidate(RcQueuePair by) {
        return by.submit(LocalInvalidate.of(++requests, key.lkey()));
    }

    /** Deregisters one of the keys behind it, whether mapped or not; another takes its place from the next fill on. */
    void partGoes() {
        sweep.promises().verb("deregister a part", part.deregister());
        part = register();
    }

    void close() {
        sweep.promises().verb("close an indirect key", key.closeAsync());
        sweep.promises().verb("close the key behind it", inner.closeAsync());
    }

    private StridedSlice anyKey(StridedSlice slice) {
        return switch (random.nextInt(4)) {
            case 0 -> under(inner.lkey(), 0, slice);
            case 1 -> under(part.lkey(), memory.address(), slice);
            case 2 -> under(again.lkey(), memory.address(), slice);
            default -> under(region.lkey(), memory.address(), slice);
        };
    }

    private static StridedSlice under(int key, long first, StridedSlice slice) {
        return new StridedSlice(key, first + slice.address(), slice.lengthBytes(), slice.skipBytes());
    }
}
