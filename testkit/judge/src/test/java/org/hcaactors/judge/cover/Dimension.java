// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.List;

/** A feature of which a combination has one value. */
record Dimension<V>(String name, List<V> values) {
    Dimension {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException(name + " has no values");
        }
    }

    static <E extends Enum<E>> Dimension<E> of(String name, Class<E> values) {
        return new Dimension<>(name, List.of(values.getEnumConstants()));
    }

    @Override
    public String toString() {
        return name;
    }
}
