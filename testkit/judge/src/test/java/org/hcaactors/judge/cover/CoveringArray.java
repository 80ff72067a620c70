// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Combinations that contain every possible tuple of values, found greedily like AETG (Cohen et al. 1997), but without random
 * numbers: the same space gives the same array. Our own code: Tcases, the only maintained library on Maven Central, ties values
 * to properties of other values, and supports no predicate over a profile and a transport.
 */
final class CoveringArray {
    /** Uncovered tuples of some dimensions. */
    private static final class Tuples {
        final int[] on;
        final int[] sizes;
        final BitSet open = new BitSet();

        Tuples(int[] on, Space space) {
            this.on = on;
            sizes = IntStream.of(on).map(space::size).toArray();
        }

        int count() {
            return IntStream.of(sizes).reduce(1, (a, b) -> a * b);
        }

        int[] values(int index, Space space) {
            int[] chosen = space.open();
            int rest = index;
            for (int i = on.length - 1; i >= 0; i--) {
                chosen[on[i]] = rest % sizes[i];
                rest /= sizes[i];
            }
            return chosen;
        }

        /** Returns the index of a tuple; -1 if a value is open. */
        int index(int[] chosen) {
            int index = 0;
            for (int i = 0; i < on.length; i++) {
                int value = chosen[on[i]];
                if (value == Combination.OPEN) {
                    return -1;
                }
                index = index * sizes[i] + value;
            }
            return index;
        }

        boolean isOpen(int[] chosen) {
            int index = index(chosen);
            return index >= 0 && open.get(index);
        }

        void close(int[] chosen) {
            open.clear(index(chosen));
        }
    }

    static final String TOGETHER = "by several of these together";

    private final Space space;
    private final List<Tuples> all = new ArrayList<>();
    private final List<List<Tuples>> ofDimension = new ArrayList<>();
    private final int[][] used;
    private final int[] order;
    private final List<Combination> rows = new ArrayList<>();
    private final Map<String, Integer> excluded = new LinkedHashMap<>();
    private int covered;

    private CoveringArray(Space space, int strength) {
        this.space = space;
        int count = space.dimensions().size();
        used = new int[count][];
        for (int d = 0; d < count; d++) {
            used[d] = new int[space.size(d)];
            ofDimension.add(new ArrayList<>());
        }
        order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingInt(d -> -space.size(d)))
                .mapToInt(Integer::intValue)
                .toArray();
        choose(new int[strength], 0, 0);
        all.forEach(this::classify);
        all.forEach(this::cover);
    }

    /**
     * Computes the array.
     *
     * @param strength number of values in a tuple, from 1 to the number of dimensions
     */
    static CoveringArray of(Space space, int strength) {
        if (strength < 1 || strength > space.dimensions().size()) {
            throw new IllegalArgumentException(
                    "tuples of " + strength + " of " + space.dimensions().size() + " dimensions");
        }
        return new CoveringArray(space, strength);
    }

    private void choose(int[] on, int at, int from) {
        if (at == on.length) {
            Tuples tuples = new Tuples(on.clone(), space);
            all.add(tuples);
            IntStream.of(on).forEach(d -> ofDimension.get(d).add(tuples));
            return;
        }
        for (int d = from; d < space.dimensions().size(); d++) {
            on[at] = d;
            choose(on, at + 1, d + 1);
        }
    }

    private void classify(Tuples tuples) {
        for (int i = 0; i < tuples.count(); i++) {
            int[] chosen = tuples.values(i, space);
            if (space.canBe(chosen)) {
                tuples.open.set(i);
                covered++;
            } else {
                excluded.merge(space.reason(chosen).orElse(TOGETHER), 1, Integer::sum);
            }
        }
    }

    private void cover(Tuples tuples) {
        for (int i = tuples.open.nextSetBit(0); i >= 0; i = tuples.open.nextSetBit(i + 1)) {
            Combination row = row(tuples.values(i, space));
            all.forEach(each -> each.close(row.chosen()));
            for (int d = 0; d < used.length; d++) {
                used[d][row.chosen()[d]]++;
            }
            rows.add(row);
        }
    }

    private Combination row(int[] chosen) {
        for (int dimension : order) {
            if (chosen[dimension] == Combination.OPEN) {
                chosen[dimension] = best(dimension, chosen);
            }
        }
        return new Combination(space.dimensions(), chosen);
    }

    /** Returns the value that covers most uncovered tuples; among equals the one used least. */
    private int best(int dimension, int[] chosen) {
        int[] gains = new int[space.size(dimension)];
        for (Tuples each : ofDimension.get(dimension)) {
            for (int value = 0; value < gains.length; value++) {
                chosen[dimension] = value;
                gains[value] += each.isOpen(chosen) ? 1 : 0;
            }
        }
        List<Integer> values = IntStream.range(0, gains.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(value -> -gains[value])
                        .thenComparingInt(value -> used[dimension][value]))
                .toList();
        for (int value : values) {
            chosen[dimension] = value;
            if (space.canBe(chosen)) {
                return value;
            }
        }
        throw new IllegalStateException("no value of " + space.dimensions().get(dimension) + " fits, though some did");
    }

    List<Combination> rows() {
        return rows;
    }

    /** Returns the number of covered tuples. */
    int covered() {
        return covered;
    }

    /** Returns the number of impossible tuples, by reason. */
    Map<String, Integer> excluded() {
        return excluded;
    }

    String summary() {
        StringBuilder text = new StringBuilder("%d combinations cover %d tuples of values; %d can't be"
                .formatted(
                        rows.size(),
                        covered,
                        excluded.values().stream().mapToInt(Integer::intValue).sum()));
        excluded.forEach((reason, count) -> text.append("%n  %6d  %s".formatted(count, reason)));
        return text.toString();
    }
}
