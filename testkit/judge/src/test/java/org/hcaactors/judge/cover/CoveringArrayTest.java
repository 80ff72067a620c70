// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every possible tuple occurs, and no impossible one. */
class CoveringArrayTest {
    private static Dimension<Integer> dimension(String name, int values) {
        return new Dimension<>(name, IntStream.range(0, values).boxed().toList());
    }

    private static final Dimension<Integer> A = dimension("a", 3);
    private static final Dimension<Integer> B = dimension("b", 3);
    private static final Dimension<Integer> C = dimension("c", 3);
    private static final Dimension<Integer> D = dimension("d", 3);

    @Test
    void fourTimesThreeValuesTakeLittleMoreThanNineRows() {
        CoveringArray array = CoveringArray.of(new Space(List.of(A, B, C, D), List.of()), 2);
        assertThat(array.covered()).isEqualTo(6 * 9);
        assertThat(array.excluded()).isEmpty();
        assertThat(array.rows()).hasSizeBetween(9, 13);
    }

    @Test
    void excludedTuplesAreCountedByTheirReason() {
        Exclusion equal = Exclusion.of("equal", A, B, Integer::equals);
        CoveringArray array = CoveringArray.of(new Space(List.of(A, B, C), List.of(equal)), 2);
        assertThat(array.excluded()).isEqualTo(Map.of("equal", 3));
        assertThat(array.covered()).isEqualTo(24);
        assertThat(array.summary()).contains("24 tuples").contains("3  equal");
    }

    /** b is not 0 if a is 0, and must be 0 if c is 0: so a and c are not both 0. */
    @Test
    void tuplesExcludedBySeveralReasonsTogetherAreCounted() {
        List<Exclusion> both = List.of(
                Exclusion.of("one", A, B, (a, b) -> a == 0 && b == 0),
                Exclusion.of("other", B, C, (b, c) -> c == 0 && b != 0));
        CoveringArray array = CoveringArray.of(new Space(List.of(A, B, C), both), 2);
        assertThat(array.excluded()).isEqualTo(Map.of("one", 1, "other", 2, CoveringArray.TOGETHER, 1));
    }

    @Test
    void aStrengthAboveTheDimensionsIsRefused() {
        Space space = new Space(List.of(A, B), List.of());
        assertThatIllegalArgumentException().isThrownBy(() -> CoveringArray.of(space, 3));
    }

    @Test
    void aCombinationIsReadAsItIsWritten() {
        Combination row = new Combination(List.of(A, B), new int[] {2, 1});
        assertThat(Combination.read(List.of(A, B), row.replay())).isEqualTo(row);
        assertThat(row.toString()).isEqualTo("a 2, b 1");
    }

    private static Space random(SplittableRandom random) {
        List<Dimension<?>> dimensions = new ArrayList<>();
        for (int i = 3 + random.nextInt(3); i > 0; i--) {
            dimensions.add(dimension("d" + i, 1 + random.nextInt(4)));
        }
        List<Exclusion> exclusions = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            List<Dimension<?>> on = new ArrayList<>(dimensions);
            while (on.size() > 1 + random.nextInt(3)) {
                on.remove(random.nextInt(on.size()));
            }
            long salt = random.nextLong();
            exclusions.add(new Exclusion(
                    "reason " + i,
                    on,
                    all -> on.stream()
                                            .mapToInt(each -> (Integer) all.get(each))
                                            .reduce((int) salt & 7, (a, b) -> a * 5 + b)
                                    % 4
                            == 0));
        }
        return new Space(dimensions, exclusions);
    }

    /** Enumerates all allowed combinations. */
    private static List<int[]> allowed(Space space) {
        List<int[]> all = new ArrayList<>();
        int[] sizes =
                IntStream.range(0, space.dimensions().size()).map(space::size).toArray();
        int count = IntStream.of(sizes).reduce(1, (a, b) -> a * b);
        for (int i = 0; i < count; i++) {
            int rest = i;
            int[] chosen = new int[sizes.length];
            for (int d = 0; d < sizes.length; d++) {
                chosen[d] = rest % sizes[d];
                rest /= sizes[d];
            }
            if (space.reason(chosen).isEmpty()) {
                all.add(chosen);
            }
        }
        return all;
    }

    private static String tuple(int[] row, int... on) {
        return IntStream.of(on).mapToObj(d -> d + "=" + row[d]).toList().toString();
    }

    private static List<String> tuples(List<int[]> rows, int dimensions, int strength) {
        List<String> all = new ArrayList<>();
        for (int[] row : rows) {
            for (int a = 0; a < dimensions; a++) {
                for (int b = a + 1; b < dimensions; b++) {
                    if (strength == 2) {
                        all.add(tuple(row, a, b));
                    }
                    for (int c = b + 1; c < dimensions && strength == 3; c++) {
                        all.add(tuple(row, a, b, c));
                    }
                }
            }
        }
        return all.stream().distinct().sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void exactlyTheAllowedTuplesOccur(int strength) {
        SplittableRandom random = new SplittableRandom(strength);
        for (int i = 0; i < 60; i++) {
            Space space = random(random);
            int dimensions = space.dimensions().size();
            List<int[]> allowed = allowed(space);
            CoveringArray array = CoveringArray.of(space, strength);
            List<int[]> rows = array.rows().stream().map(Combination::chosen).toList();
            assertThat(rows).allMatch(row -> space.reason(row).isEmpty());
            List<String> requested = tuples(allowed, dimensions, strength);
            assertThat(tuples(rows, dimensions, strength)).isEqualTo(requested);
            assertThat(array.covered()).isEqualTo(requested.size());
        }
    }

    @Test
    void theSameSpaceGivesTheSameArray() {
        Space space = random(new SplittableRandom(7));
        assertThat(CoveringArray.of(space, 2).rows())
                .isEqualTo(CoveringArray.of(space, 2).rows());
    }
}
