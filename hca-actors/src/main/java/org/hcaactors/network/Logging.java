// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Start of SLF4J, through which Pekko and the adapter log. A program without an SLF4J provider does not want logs, so the
 * warning on stderr about the missing provider is suppressed.
 */
final class Logging {
    /** System property for the verbosity of SLF4J's own messages; SLF4J reads it once, when it starts. */
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Logging() {}

    /**
     * Starts SLF4J unless it is started already: started by the first log calls of several threads, it prints more messages.
     */
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
            return true; // SLF4J 1 has no providers; it finds its bindings in another way.
        }
    }
}
