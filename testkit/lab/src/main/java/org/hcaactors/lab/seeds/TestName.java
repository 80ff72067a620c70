// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.function.LongFunction;

/**
 * Which test it is.
 *
 * @param type the full name of its class, in whose lines it fails
 * @param method the test of that class
 * @param command that runs a seed of it alone
 */
public record TestName(String type, String method, LongFunction<String> command) {
    /** Names of Kotlin's may hold them. */
    private static final String NOT_IN_FILE_NAMES = "[\\\\/:*?\"<>|]";

    /** {@code StoreTest.survives}. */
    public String words() {
        return simple(type) + "." + method;
    }

    String title() {
        return type + "." + method;
    }

    String folder() {
        return words().replaceAll(NOT_IN_FILE_NAMES, "_");
    }

    /** Without its package. */
    public static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
