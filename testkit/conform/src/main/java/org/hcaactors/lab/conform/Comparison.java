// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a comparison came to.
 *
 * @param answers captured answers that our responder was judged by
 * @param requests captured request packets that our requester was judged by
 * @param completions ends of messages that were judged
 * @param matched of all these, those that are the same
 * @param given values that were taken from the capture
 * @param differences how often each known difference was met: each of answers, requests and completions is matched, falls
 *     under one of these, or is a mismatch
 * @param lacking packets of ours that the capture lacks, by the known reason
 *
 * @param mismatches none in a capture that our machines agree with
 */
public record Comparison(
        int answers,
        int requests,
        int completions,
        int matched,
        Map<TakenFromCapture, Integer> given,
        Map<Difference, Integer> differences,
        Map<Difference, Integer> lacking,
        List<Mismatch> mismatches) {
    public static final Comparison NONE = new Comparison(0, 0, 0, 0, Map.of(), Map.of(), Map.of(), List.of());

    public Comparison {
        given = Map.copyOf(given);
        differences = Map.copyOf(differences);
        lacking = Map.copyOf(lacking);
        mismatches = List.copyOf(mismatches);
    }

    /** What was captured and judged, all kinds together. */
    public int judged() {
        return answers + requests + completions;
    }

    /** Something was compared with what our machines did: what falls under a named difference alone says nothing of them. */
    public boolean saysSomething() {
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
                sum(TakenFromCapture.class, given, other.given),
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
