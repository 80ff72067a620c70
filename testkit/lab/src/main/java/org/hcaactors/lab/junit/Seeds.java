// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Which seeds a test runs over: what its annotation says, unless the run asks for others. */
final class Seeds {
    /** The one seed to run. */
    static final String ONE = "rdma.seed";
    /** How many to run, for tests over more than one. */
    static final String COUNT = "rdma.seeds";

    private Seeds() {}

    static List<Long> of(RdmaTest test, ExtensionContext context) {
        Optional<Long> only = one(context);
        if (only.isPresent()) {
            return List.of(only.get());
        }
        long count = test.seeds() > 1 ? number(COUNT, test.seeds(), context) : test.seeds();
        if (count < 1) {
            throw new ExtensionConfigurationException("seeds = " + count + "; at least 1 is allowed");
        }
        return LongStream.range(test.seed(), test.seed() + count).boxed().toList();
    }

    static long or(long seed, ExtensionContext context) {
        return one(context).orElse(seed);
    }

    /** A number that the run may set. */
    static int count(String key, int otherwise, ExtensionContext context) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, number(key, otherwise, context)));
    }

    static Optional<Long> one(ExtensionContext context) {
        return context.getConfigurationParameter(ONE).map(text -> parse(ONE, text));
    }

    private static long number(String key, long otherwise, ExtensionContext context) {
        return context.getConfigurationParameter(key)
                .map(text -> parse(key, text))
                .orElse(otherwise);
    }

    private static long parse(String key, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException wrong) {
            throw new ExtensionConfigurationException(key + " = " + text + "; a whole number is allowed");
        }
    }
}
