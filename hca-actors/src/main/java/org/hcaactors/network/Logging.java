// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * SLF4J, which Pekko and the adapter log through. A program that has no provider for it wants no logs, and is not told on stderr
 * that it has none.
 */
final class Logging {
    /** How much SLF4J says of itself; it reads that once, when it starts. */
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Logging() {}

    /** Starts SLF4J, unless somebody has: with the first logs of several threads it would start less quietly. */
    static void start() {
        boolean silent = System.getProperty(VERBOSITY) == null && !hasProvider();
        if (silent) {
            System.setProperty(VERBOSITY, "ERROR");
        }
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            if (silent) {
                System.clearProperty(VERBOSITY);
            }
        }
    }

    private static boolean hasProvider() {
        try {
            return ServiceLoader.load(SLF4JServiceProvider.class, LoggerFactory.class.getClassLoader()).stream()
                    .findAny()
                    .isPresent();
        } catch (NoClassDefFoundError beforeSlf4j2) {
            return true; // It has no providers, but bindings, which it finds in another way.
        }
    }
}
