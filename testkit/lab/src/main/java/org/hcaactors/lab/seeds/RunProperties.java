// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Properties of a test run, set from outside the tests. An invalid value throws an IllegalArgumentException that says what is
 * allowed.
 *
 * @param values values by property name
 */
public record RunProperties(Function<String, Optional<String>> values) {
    /** The one seed to run. */
    public static final String ONE = "rdma.seed";

    /** Number of seeds, for tests with more than one. */
    public static final String COUNT = "rdma.seeds";

    /** Folder for pictures of failed tests; {@code target/rdma} if not set. */
    public static final String FOLDER = "rdma.out";

    /** Number of runs to shrink the first failing seed; {@value #SHRINK_RUNS} if not set, 0 turns shrinking off. */
    public static final String SHRINK = "rdma.shrink";

    /** Number of JVMs of this machine that run the seeds of tests with {@code @RdmaTest}; 0 if not set: this JVM runs them. */
    public static final String NODES = "rdma.nodes";

    /** HOST:PORT at which JVMs, of other machines too, join to run seeds; none if not set. */
    public static final String LISTEN = "rdma.listen";

    /** The seeds that another JVM requests from this one. Set by that JVM, not by users. */
    public static final String OF_NODE = "rdma.node.seeds";

    private static final int SHRINK_RUNS = 200;
    private static final int MAX_NODES = 64;

    /** Returns the system properties of the JVM. */
    public static RunProperties ofJvm() {
        return new RunProperties(name -> Optional.ofNullable(System.getProperty(name)));
    }

    public Optional<Long> one() {
        return values.apply(ONE).map(text -> parse(ONE, text));
    }

    /** Returns the seeds of a test that declares the given number of seeds, from {@code first}. */
    public List<Long> seeds(long first, long declared) {
        Optional<Long> only = one();
        if (only.isPresent()) {
            return List.of(only.get());
        }
        long count = declared > 1 ? number(COUNT, declared) : declared;
        if (count < 1) {
            throw new IllegalArgumentException("seeds = " + count + "; at least 1 is allowed");
        }
        return LongStream.range(first, first + count).boxed().toList();
    }

    /** Returns the number of JVMs of this machine that run seeds; 0: only this one. */
    public int nodes() {
        int fewest = listen().isPresent() ? 1 : 0;
        long nodes = number(NODES, fewest);
        if (nodes < fewest || nodes > MAX_NODES) {
            throw new IllegalArgumentException(NODES + " = " + nodes + "; " + fewest + " to " + MAX_NODES
                    + " are allowed" + (fewest > 0 ? " with " + LISTEN : ""));
        }
        return (int) nodes;
    }

    /** Returns the address at which JVMs join to run seeds, as it is written. */
    public Optional<String> listen() {
        return values.apply(LISTEN);
    }

    /** Returns the seeds that another JVM requests from this one; empty if this JVM runs its own tests. */
    public Optional<List<Long>> seedsOfNode() {
        return values.apply(OF_NODE)
                .map(text -> Stream.of(text.split(","))
                        .map(seed -> parse(OF_NODE, seed))
                        .toList());
    }

    int shrinkRuns() {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, number(SHRINK, SHRINK_RUNS)));
    }

    Path folder() {
        return Path.of(values.apply(FOLDER).orElse("target/rdma"));
    }

    private long number(String key, long otherwise) {
        return values.apply(key).map(text -> parse(key, text)).orElse(otherwise);
    }

    private static long parse(String key, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(key + " = " + text + "; an integer is required", wrong);
        }
    }
}
