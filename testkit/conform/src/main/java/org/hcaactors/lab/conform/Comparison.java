// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Result of a comparison.
 *
 * @param answers captured responses with which the responder was compared
 * @param requests captured request packets with which the requester was compared
 * @param completions compared completions of messages
 * @param matched of all these, those that are equal
 * @param takenFromCapture values that were taken from the capture
 * @param differences number of each known difference: every response, request and completion is matched, has a known
 *     difference, or is a mismatch
 * @param lacking packets of the machines that the capture lacks, by the known reason
 * @param mismatches empty if the machines agree with the capture
 */
public record Comparison(
        int answers,
        int requests,
        int completions,
        int matched,
        Map<TakenFromCapture, Integer> takenFromCapture,
        Map<Difference, Integer> differences,
        Map<Difference, Integer> lacking,
        List<Mismatch> mismatches) {
    public static final Comparison NONE = new Comparison(0, 0, 0, 0, Map.of(), Map.of(), Map.of(), List.of());

    public Comparison {
        takenFromCapture = Map.copyOf(takenFromCapture);
        differences = Map.copyOf(differences);
        lacking = Map.copyOf(lacking);
        mismatches = List.copyOf(mismatches);
    }

    /** Returns the number of all compared items. */
    public int compared() {
        return answers + requests + completions;
    }

    /** True if something was matched or mismatched; known differences alone prove nothing about the machines. */
    public boolean isConclusive() {
        return matched > 0 || !agrees();
    }

    public boolean agrees() {
        return mismatches.isEmpty();
    }

    public Comparison plus(Comparison other) {
        return new Comparison(
                answers + other.answers,
                requests + other.requests,
                completions + other.completions,
                matched + other.matched,
                sum(TakenFromCapture.class, takenFromCapture, other.takenFromCapture),
                sum(Difference.class, differences, other.differences),
                sum(Difference.class, lacking, other.lacking),
                Stream.concat(mismatches.stream(), other.mismatches.stream()).toList());
    }

    private static <E extends Enum<E>> Map<E, Integer> sum(Class<E> kind, Map<E, Integer> one, Map<E, Integer> other) {
        Map<E, Integer> sum = new EnumMap<>(kind);
        sum.putAll(one);
        other.forEach((key, count) -> sum.merge(key, count, Integer::sum));
        return sum;
    }
}
