// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.log;

import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * SLF4J, which Pekko and the adapter log through. A program that has no provider for it wants no logs, and is not told on stderr
 * that it has none.
 */
public final class Logging {
    /** How much SLF4J says of itself; it reads that once, when it starts. */
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    /** Found when this class is first used, by one thread while others wait: where several of them start SLF4J, it is less quiet. */
    private static final boolean IS_HEARD = begin();

    private Logging() {}

    /** Starts SLF4J, unless somebody has; false if nobody hears what is logged. */
    public static boolean start() {
        return IS_HEARD;
    }

    private static boolean begin() {
        boolean heard = hasProvider();
        boolean silent = !heard && System.getProperty(VERBOSITY) == null;
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
        return heard;
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
