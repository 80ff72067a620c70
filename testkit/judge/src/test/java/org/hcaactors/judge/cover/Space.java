// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** All combinations that are not excluded. */
final class Space {
    /** An exclusion, evaluated once for each combination of its dimensions. */
    private static final class Table {
        final Exclusion of;
        final int[] on;
        final int[] sizes;
        final BitSet forbidden = new BitSet();

        Table(Exclusion of, List<Dimension<?>> all) {
            this.of = of;
            on = of.on().stream().mapToInt(all::indexOf).toArray();
            sizes = of.on().stream().mapToInt(each -> each.values().size()).toArray();
            int[] chosen = new int[all.size()];
            Arrays.fill(chosen, Combination.OPEN);
            fill(0, chosen, all);
        }

        private void fill(int at, int[] chosen, List<Dimension<?>> all) {
            if (at == on.length) {
                forbidden.set(index(chosen), of.forbids().test(new Combination(all, chosen)));
                return;
            }
            for (int value = 0; value < sizes[at]; value++) {
                chosen[on[at]] = value;
                fill(at + 1, chosen, all);
            }
            chosen[on[at]] = Combination.OPEN;
        }

        /** Returns the index of a combination; -1 if a value is open. */
        private int index(int[] chosen) {
            int index = 0;
            for (int i = 0; i < on.length; i++) {
                if (chosen[on[i]] == Combination.OPEN) {
                    return -1;
                }
                index = index * sizes[i] + chosen[on[i]];
            }
            return index;
        }

        boolean forbids(int[] chosen) {
            int index = index(chosen);
            return index >= 0 && forbidden.get(index);
        }
    }

    private final List<Dimension<?>> dimensions;
    private final List<Table> tables;
    private final List<List<Table>> ofDimension = new ArrayList<>();
    /** Order of the dimensions, those with the most exclusions first, to find impossible combinations early. */
    private final int[] order;

    Space(List<Dimension<?>> dimensions, List<Exclusion> exclusions) {
        this.dimensions = List.copyOf(dimensions);
        tables = exclusions.stream()
                .map(each -> new Table(each, this.dimensions))
                .toList();
        for (int d = 0; d < dimensions.size(); d++) {
            int here = d;
            ofDimension.add(tables.stream()
                    .filter(each -> Arrays.stream(each.on).anyMatch(on -> on == here))
                    .toList());
        }
        order = IntStream.range(0, dimensions.size())
                .boxed()
                .sorted(Comparator.comparingInt(d -> -ofDimension.get(d).size()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    List<Dimension<?>> dimensions() {
        return dimensions;
    }

    int size(int dimension) {
        return dimensions.get(dimension).values().size();
    }

    int[] open() {
        int[] chosen = new int[dimensions.size()];
        Arrays.fill(chosen, Combination.OPEN);
        return chosen;
    }

    /** Returns why the values are impossible by themselves. */
    Optional<String> reason(int[] chosen) {
        return tables.stream()
                .filter(each -> each.forbids(chosen))
                .map(each -> each.of.reason())
                .findFirst();
    }

    /** Returns a combination with these values; empty if there is none. */
    Optional<Combination> completed(int[] partial) {
        int[] chosen = partial.clone();
        return reason(chosen).isEmpty() && complete(0, chosen)
                ? Optional.of(new Combination(dimensions, chosen))
                : Optional.empty();
    }

    boolean canBe(int[] partial) {
        return completed(partial).isPresent();
    }

    private boolean complete(int at, int[] chosen) {
        if (at == order.length) {
            return true;
        }
        int dimension = order[at];
        if (chosen[dimension] != Combination.OPEN) {
            return complete(at + 1, chosen);
        }
        for (int value = 0; value < size(dimension); value++) {
            chosen[dimension] = value;
            if (fits(dimension, chosen) && complete(at + 1, chosen)) {
                return true;
            }
        }
        chosen[dimension] = Combination.OPEN;
        return false;
    }

    private boolean fits(int dimension, int[] chosen) {
        for (Table each : ofDimension.get(dimension)) {
            if (each.forbids(chosen)) {
                return false;
            }
        }
        return true;
    }
}
