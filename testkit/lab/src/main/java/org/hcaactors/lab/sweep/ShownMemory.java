// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;

/**
 * A site's sources and targets under an indirect key, each byte at its place: cut in ever other ways, under ever other keys, so
 * that whatever reads them across a change finds the same bytes.
 */
final class ShownMemory {
    /** Entries that fit, and that a request carries. */
    static final int ENTRIES = 4;

    private static final int BYTES = 2 * Site.CELL * Site.CELLS;

    /** Lengths of strided pieces; two of each make a part of all the bytes. */
    private static final int[] PIECES = {1, 5, 16, 50, 640, 1000};

    private final Setting setting;
    private final Site site;
    private final SplittableRandom lots;
    private final IndirectKey key;
    /** Shows the same, filled once. */
    private final IndirectKey inner;

    private MemoryRegion part;
    private long requests;

    ShownMemory(Setting setting, Site site, SplittableRandom lots) {
        this.setting = setting;
        this.site = site;
        this.lots = lots;
        IndirectKeyDescription wanted = IndirectKeyDescription.of(ENTRIES);
        key = setting.world().await(site.domain.createIndirectKey(wanted));
        inner = setting.world().await(site.domain.createIndirectKey(wanted));
        part = register();
    }

    private MemoryRegion register() {
        return setting.world()
                .await(site.domain.register(
                        site.memory, 0, site.memory.lengthBytes(), AccessFlags.LOCAL_AND_REMOTE));
    }

    IndirectKey key() {
        return key;
    }

    CompletionStage<WorkCompletion> fillInner(RcQueuePair by) {
        KeyLayout whole = KeyLayout.list(site.region.slice(0, BYTES));
        return by.submit(FillKey.of(++requests, inner, whole).allowing(AccessFlags.LOCAL_AND_REMOTE));
    }

    /** Behind reads: what they bring would else be put where the new layout says. */
    CompletionStage<WorkCompletion> fill(RcQueuePair by) {
        return by.submit(FillKey.of(++requests, key, layout())
                .allowing(AccessFlags.LOCAL_AND_REMOTE)
                .fenced());
    }

    CompletionStage<WorkCompletion> invalidate(RcQueuePair by) {
        return by.submit(LocalInvalidate.of(++requests, key.lkey()));
    }

    /** One of the keys behind it goes, whether it is shown or not; another takes its place in layouts to come. */
    void partGoes() {
        setting.promises().verb("deregister a part", part.deregister());
        part = register();
    }

    void close() {
        setting.promises().verb("close an indirect key", key.closeAsync());
        setting.promises().verb("close the key behind it", inner.closeAsync());
    }

    private KeyLayout layout() {
        return lots.nextBoolean() ? cut() : alternating();
    }

    private KeyLayout cut() {
        TreeSet<Integer> cuts = new TreeSet<>(List.of(0, BYTES));
        for (int i = lots.nextInt(ENTRIES); i > 0; i--) {
            cuts.add(lots.nextInt(BYTES));
        }
        List<Integer> at = new ArrayList<>(cuts);
        return KeyLayout.list(IntStream.range(0, at.size() - 1)
                .mapToObj(i -> {
                    StridedSlice slice = slice(at.get(i), at.get(i + 1) - at.get(i), 0);
                    return new LocalSlice(slice.lkey(), slice.address(), slice.lengthBytes());
                })
                .toList());
    }

    private KeyLayout alternating() {
        int piece = PIECES[lots.nextInt(PIECES.length)];
        return KeyLayout.interleaved(BYTES / (2 * piece), slice(0, piece, piece), slice(piece, piece, piece));
    }

    private StridedSlice slice(int offset, int bytes, int skip) {
        return switch (lots.nextInt(4)) {
            case 0 -> new StridedSlice(inner.lkey(), offset, bytes, skip);
            case 1 -> under(part, offset, bytes, skip);
            case 2 -> under(site.again, offset, bytes, skip);
            default -> under(site.region, offset, bytes, skip);
        };
    }

    private static StridedSlice under(MemoryRegion region, int offset, int bytes, int skip) {
        return new StridedSlice(region.lkey(), region.address() + offset, bytes, skip);
    }
}
