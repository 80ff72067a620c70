// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.function.LongFunction;

/**
 * Name of a test.
 *
 * @param type full name of its class
 * @param method test method of that class
 * @param command returns the command that runs one seed of the test
 */
public record TestName(String type, String method, LongFunction<String> command) {
    /** Characters that Kotlin names may contain and file names may not. */
    private static final String NOT_IN_FILE_NAMES = "[\\\\/:*?\"<>|]";

    /** Returns {@code StoreTest.survives}. */
    public String words() {
        return simple(type) + "." + method;
    }

    String title() {
        return type + "." + method;
    }

    String folder() {
        return words().replaceAll(NOT_IN_FILE_NAMES, "_");
    }

    /** Returns the class name without its package. */
    public static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
