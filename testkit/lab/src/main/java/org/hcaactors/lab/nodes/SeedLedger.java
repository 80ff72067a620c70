// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Seeds of one test, the nodes that have them, and the results that the test has not taken yet. One thread.
 */
final class SeedLedger {
    /** Maximum number of seeds that a node gets at a time: it prepares the test's class once for them. */
    static final int MAX_PIECE = 64;

    /** Number of nodes that may end while they run the same seed before that seed fails. */
    static final int MAX_RETURNS = 2;

    /** Seeds that have not been handed out are shared as if each node would come back so often. */
    private static final int PIECES_PER_NODE = 2;

    private final List<Long> seeds;
    private int fresh;
    private final Deque<Long> returned = new ArrayDeque<>();
    private final Map<String, Set<Long>> held = new HashMap<>();
    private final Map<String, Long> running = new HashMap<>();
    private final Map<Long, List<String>> returners = new HashMap<>();
    private final Map<Long, NodeResult> results = new HashMap<>();
    private final Map<String, Integer> endedBy = new LinkedHashMap<>();

    SeedLedger(List<Long> seeds) {
        this.seeds = List.copyOf(seeds);
    }

    /**
     * Gives seeds to a node that has none, those first that other nodes gave back.
     *
     * @param nodes number of nodes
     */
    List<Long> handOut(String node, int nodes) {
        List<Long> piece = new ArrayList<>();
        int left = returned.size() + seeds.size() - fresh;
        int size = Math.clamp(left / (PIECES_PER_NODE * nodes), 1, MAX_PIECE);
        while (piece.size() < size && hasNext()) {
            piece.add(returned.isEmpty() ? seeds.get(fresh++) : returned.removeFirst());
        }
        held.put(node, new LinkedHashSet<>(piece));
        return piece;
    }

    boolean hasNext() {
        return !returned.isEmpty() || fresh < seeds.size();
    }

    /** Notes that a node runs that seed, and no other. */
    void begin(String node, long seed) {
        running.put(node, seed);
    }

    /** Notes the result of a seed; one that the node does not have is ignored. */
    void end(String node, long seed, NodeResult result) {
        if (Optional.ofNullable(held.get(node)).filter(its -> its.remove(seed)).isPresent()) {
            running.remove(node);
            results.put(seed, result);
            endedBy.merge(node, 1, Integer::sum);
        }
    }

    /**
     * Takes all seeds from a node that has gone.
     *
     * @param end how it ended
     */
    void giveBack(String node, String end) {
        Set<Long> back = Optional.ofNullable(held.remove(node)).orElse(Set.of());
        Optional.ofNullable(running.remove(node)).filter(back::contains).ifPresent(seed -> {
            List<String> ends = returners.computeIfAbsent(seed, absent -> new ArrayList<>());
            ends.add(node + " " + end);
            if (ends.size() >= MAX_RETURNS) {
                back.remove(seed);
                results.put(
                        seed, new NodeResult.EndsJvms("while seed " + seed + " ran, " + String.join(", and ", ends)));
            }
        });
        List.copyOf(back).reversed().forEach(returned::addFirst);
    }

    /** Takes the result of a seed. */
    Optional<NodeResult> take(long seed) {
        return Optional.ofNullable(results.remove(seed));
    }

    /** Returns the state, with the nodes that have run seeds of this test. */
    NodesProgress progress() {
        return new NodesProgress(
                seeds.size(),
                endedBy.values().stream().mapToInt(Integer::intValue).sum(),
                false,
                endedBy.entrySet().stream()
                        .map(node -> new NodesProgress.OfNode(node.getKey(), node.getValue()))
                        .toList());
    }
}
