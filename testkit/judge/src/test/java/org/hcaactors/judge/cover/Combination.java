// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One value for each dimension, or for some of them.
 *
 * @param chosen index of the value by dimension, or {@link #OPEN}
 */
record Combination(List<Dimension<?>> dimensions, int[] chosen) {
    static final int OPEN = -1;

    /** Returns the value of a dimension; throws IllegalStateException if there is none. */
    <V> V get(Dimension<V> dimension) {
        int at = dimensions.indexOf(dimension);
        if (at < 0 || chosen[at] == OPEN) {
            throw new IllegalStateException("no value of " + dimension);
        }
        return dimension.values().get(chosen[at]);
    }

    /** Returns a combination with another value of one dimension; throws IllegalArgumentException if there is no such value. */
    <V> Combination with(Dimension<V> dimension, V value) {
        int at = dimensions.indexOf(dimension);
        int index = dimension.values().indexOf(value);
        if (at < 0 || index < 0) {
            throw new IllegalArgumentException("no " + value + " of " + dimension);
        }
        int[] other = chosen.clone();
        other[at] = index;
        return new Combination(dimensions, other);
    }

    /**
     * Returns the indices as one word, which {@link #read} parses: it identifies the combination until a value is added before
     * others.
     */
    String replay() {
        StringJoiner text = new StringJoiner(".");
        Arrays.stream(chosen).forEach(index -> text.add(Integer.toString(index)));
        return text.toString();
    }

    static Combination read(List<Dimension<?>> dimensions, String replay) {
        return new Combination(
                dimensions,
                Arrays.stream(replay.split("\\.")).mapToInt(Integer::parseInt).toArray());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Combination same && Arrays.equals(chosen, same.chosen);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(chosen);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        for (int d = 0; d < chosen.length; d++) {
            if (chosen[d] != OPEN) {
                text.add(dimensions.get(d) + " " + dimensions.get(d).values().get(chosen[d]));
            }
        }
        return text.toString();
    }
}
