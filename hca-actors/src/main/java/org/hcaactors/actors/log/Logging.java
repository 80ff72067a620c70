// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.log;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Start of SLF4J, through which Pekko and the adapter log. A program without an SLF4J provider does not want logs, so the
 * warning on stderr about the missing provider is suppressed.
 */
public final class Logging {
    /** System property for the verbosity of SLF4J's own messages; SLF4J reads it once, when it starts. */
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    /** Computed by the class initializer, so that one thread starts SLF4J while others wait; concurrent starts print more messages. */
    private static final boolean HAS_PROVIDER = begin();

    private Logging() {}

    /** Starts SLF4J unless it is started already; returns false if there is no provider, so no log is written. */
    public static boolean start() {
        return HAS_PROVIDER;
    }

    private static boolean begin() {
        boolean provided = hasProvider();
        boolean silent = !provided && System.getProperty(VERBOSITY) == null;
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
        return provided;
    }

    private static boolean hasProvider() {
        if (System.getProperty("slf4j.provider") != null) {
            return true;
        }
        try {
            return ServiceLoader.load(SLF4JServiceProvider.class, LoggerFactory.class.getClassLoader()).stream()
                    .findAny()
                    .isPresent();
        } catch (NoClassDefFoundError | ServiceConfigurationError unknown) {
            // SLF4J 1 has no providers and finds its bindings in another way; of a broken declaration SLF4J itself reports more.
            return true;
        }
    }
}
