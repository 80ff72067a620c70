// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.List;
import java.util.function.Predicate;

/**
 * An impossible set of combinations, with the reason.
 *
 * @param on dimensions that it depends on
 * @param forbids tests combinations that have a value for each of these
 */
record Exclusion(String reason, List<Dimension<?>> on, Predicate<Combination> forbids) {
    /** Condition on two values. */
    interface Two<A, B> {
        boolean forbids(A one, B other);
    }

    interface Three<A, B, C> {
        boolean forbids(A one, B two, C three);
    }

    static <A, B> Exclusion of(String reason, Dimension<A> a, Dimension<B> b, Two<A, B> forbids) {
        return new Exclusion(reason, List.of(a, b), all -> forbids.forbids(all.get(a), all.get(b)));
    }

    static <A, B, C> Exclusion of(
            String reason, Dimension<A> a, Dimension<B> b, Dimension<C> c, Three<A, B, C> forbids) {
        return new Exclusion(reason, List.of(a, b, c), all -> forbids.forbids(all.get(a), all.get(b), all.get(c)));
    }
}
