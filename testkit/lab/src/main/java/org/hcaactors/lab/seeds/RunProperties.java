// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * What whoever runs tests asks for, besides what they say themselves. A value that is none is refused by an IllegalArgumentException that
 * says what is allowed.
 *
 * @param values by the names of properties
 */
public record RunProperties(Function<String, Optional<String>> values) {
    /** The one seed to run. */
    public static final String ONE = "rdma.seed";

    /** How many to run, for tests over more than one. */
    public static final String COUNT = "rdma.seeds";

    /** Where pictures of failed tests go; {@code target/rdma} if not set. */
    public static final String FOLDER = "rdma.out";

    /** Runs that are tried to make the first failing seed small; {@value #SHRINK_RUNS} if not set, 0 turns it off. */
    public static final String SHRINK = "rdma.shrink";

    private static final int SHRINK_RUNS = 200;

    /** Those of the JVM. */
    public static RunProperties ofJvm() {
        return new RunProperties(name -> Optional.ofNullable(System.getProperty(name)));
    }

    public Optional<Long> one() {
        return values.apply(ONE).map(text -> parse(ONE, text));
    }

    /** The seeds of a test that says so many from there on. */
    public List<Long> seeds(long first, long said) {
        Optional<Long> only = one();
        if (only.isPresent()) {
            return List.of(only.get());
        }
        long count = said > 1 ? number(COUNT, said) : said;
        if (count < 1) {
            throw new IllegalArgumentException("seeds = " + count + "; at least 1 is allowed");
        }
        return LongStream.range(first, first + count).boxed().toList();
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
            throw new IllegalArgumentException(key + " = " + text + "; a whole number is allowed", wrong);
        }
    }
}
