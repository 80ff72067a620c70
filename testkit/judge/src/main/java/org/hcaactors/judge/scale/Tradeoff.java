// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * What a pool of initiators costs and brings: one client asks {@value #TARGETS} targets, each of an adapter of its own, in virtual time
 * over links of 1 us and 100 Gbit/s. A figure depends on nothing but the seed.
 *
 * @param seed of the order in which targets are asked, of the pauses, and of the world
 */
public record Tradeoff(long seed) {
    /** That the client asks. */
    public static final int TARGETS = 16;

    /** The client asks so often, all targets together. */
    public static final int OPERATIONS = 256;

    /** Of the pools that are compared. */
    public static final List<Integer> INITIATORS = List.of(1, 2, 4, 8, 16);

    /** As in UCX it is 32; of so few requests it would never be used up. */
    public static final int QUOTA = 8;

    /** Of each initiator, where the policy has streams. */
    public static final DcStreams STREAMS = new DcStreams(3, 2);

    /** How the client asks. These are all that there are. */
    public enum Traffic {
        /** One request at a time, and a pause of up to 4 us after each; an initiator that is idle for 64 us disconnects. */
        SPARSE,
        /** Everything is submitted at once. */
        DENSE
    }

    /**
     * One pool under one traffic.
     *
     * @param policy its name
     * @param connects as the targets' adapters counted them
     * @param meanNanos from submitting a request to its completion, in virtual time
     * @param nanos until the last was answered, pauses included
     */
    public record Figure(
            String policy,
            Traffic traffic,
            int initiators,
            int operations,
            long connects,
            double meanNanos,
            long nanos) {
        public double connectsEach() {
            return connects / (double) operations;
        }

        public double meanMicros() {
            return meanNanos / 1_000;
        }
    }

    /** By their names, in lower case; those with streams have eight on an initiator. */
    public static Map<String, DciPolicy> policies() {
        Map<String, DciPolicy> all = new LinkedHashMap<>();
        all.put("hashed", new DciPolicy.Hashed());
        all.put("exclusive", new DciPolicy.Exclusive());
        all.put("quota", new DciPolicy.Quota(QUOTA));
        all.put("hybrid", new DciPolicy.Hybrid(QUOTA, STREAMS));
        all.put("random", new DciPolicy.Random(1));
        all.put("streams", new DciPolicy.Streams(STREAMS));
        return all;
    }

    /** Every policy with every number of initiators that it takes, under either traffic. */
    public List<Figure> statistics() {
        List<Figure> statistics = new ArrayList<>();
        for (Traffic traffic : Traffic.values()) {
            for (Map.Entry<String, DciPolicy> policy : policies().entrySet()) {
                INITIATORS.stream()
                        .filter(initiators -> initiators >= fewest(policy.getValue()))
                        .forEach(initiators ->
                                statistics.add(figure(policy.getKey(), policy.getValue(), traffic, initiators)));
            }
        }
        return List.copyOf(statistics);
    }

    private static int fewest(DciPolicy policy) {
        return policy instanceof DciPolicy.Hybrid ? 2 : 1;
    }

    /** Of a pool that is made for it. */
    public Figure figure(String name, DciPolicy policy, Traffic traffic, int initiators) {
        try (World world = World.of(WorldOptions.of(seed).with(Watch.NOBODY))) {
            PoolClient client = new PoolClient(world, TARGETS, initiators, policy);
            long begun = world.now();
            List<Long> nanos = switch (traffic) {
                case SPARSE -> client.askOneByOne(seed, OPERATIONS);
                case DENSE -> client.askAtOnce(seed, OPERATIONS);
            };
            long over = world.now() - begun;
            double mean = nanos.stream().mapToLong(Long::longValue).average().orElseThrow();
            return new Figure(name, traffic, initiators, nanos.size(), client.connects(), mean, over);
        }
    }
}
