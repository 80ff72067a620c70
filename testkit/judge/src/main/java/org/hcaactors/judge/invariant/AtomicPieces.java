// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.hcaactors.lab.invariant.ShadowMemory;

/**
 * Pieces of memory that atomics change, with their atomics. Ranges that overlap form one piece, also if they differ in size,
 * because their atomics must be ordered together.
 *
 * @param <T> an atomic
 */
final class AtomicPieces<T> {
    /** A range of memory in the address space of a process. */
    record Range(String port, String process, long from, int count) {
        static Range of(ShadowMemory.Place place, int count) {
            return new Range(place.port(), place.process(), place.address(), count);
        }

        boolean touches(Range other) {
            return port.equals(other.port)
                    && process.equals(other.process)
                    && from < other.from + other.count
                    && other.from < from + count;
        }

        Range with(Range other) {
            long first = Math.min(from, other.from);
            long end = Math.max(from + count, other.from + other.count);
            return new Range(port, process, first, (int) (end - first));
        }

        @Override
        public String toString() {
            return "%s0x%x of %s/%s".formatted(count == Long.BYTES ? "" : count + " bytes at ", from, port, process);
        }
    }

    private final Map<Range, Map<Long, T>> cells = new LinkedHashMap<>();
    /** Ranges changed by an atomic that no program posted. */
    private final Set<Range> spoiled = new LinkedHashSet<>();

    /**
     * Adds an atomic to a range.
     *
     * @param id identifies the atomic: a second one with the same id is ignored
     */
    void add(Range range, long id, T atomic) {
        cells.computeIfAbsent(range, absent -> new LinkedHashMap<>()).putIfAbsent(id, atomic);
    }

    /** Removes what overlaps a range that something else wrote: earlier atomics do not determine later values. */
    void remove(Range written) {
        List<Range> overlapping = new ArrayList<>();
        cells.keySet().stream().filter(written::touches).forEach(overlapping::add);
        for (int i = 0; i < overlapping.size(); i++) {
            Range at = overlapping.get(i);
            cells.keySet().stream()
                    .filter(other -> other.touches(at) && !overlapping.contains(other))
                    .forEach(overlapping::add);
        }
        overlapping.forEach(cells::remove);
    }

    /** Excludes a range from {@link #forEach} until it is cleared. */
    void spoil(Range range) {
        spoiled.add(range);
    }

    void clear() {
        cells.clear();
        spoiled.clear();
    }

    /** Calls the action with every piece that is not spoiled, and its atomics. */
    void forEach(BiConsumer<Range, Collection<T>> action) {
        List<Piece<T>> whole = new ArrayList<>();
        cells.forEach((range, atomics) -> join(whole, range, atomics));
        whole.stream()
                .filter(piece -> spoiled.stream().noneMatch(piece.range::touches))
                .forEach(piece -> action.accept(piece.range, piece.atomics.values()));
    }

    private record Piece<T>(Range range, Map<Long, T> atomics) {}

    private static <T> void join(List<Piece<T>> whole, Range range, Map<Long, T> atomics) {
        Range all = range;
        Map<Long, T> together = new LinkedHashMap<>(atomics);
        for (Piece<T> other : List.copyOf(whole)) {
            // A piece has no gaps, so that what touches it touches one of its parts.
            if (other.range.touches(range)) {
                all = all.with(other.range);
                together.putAll(other.atomics);
                whole.remove(other);
            }
        }
        whole.add(new Piece<>(all, together));
    }
}
