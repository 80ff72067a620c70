// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

/** The kinds of keys, each over the same part of its owner's memory. */
enum KeyKind {
    REGION("region"),
    REGION_ELSEWHERE("region at another address"),
    ZERO_BASED_REGION("zero-based region"),
    PHYSICAL_REGION("region of physical addresses"),
    WINDOW_1("window of type 1"),
    WINDOW_2("window of type 2"),
    LIST("indirect list"),
    INTERLEAVED("interleaved"),
    NESTED("list of a list");

    private final String words;

    KeyKind(String words) {
        this.words = words;
    }

    boolean isWindow() {
        return this == WINDOW_1 || this == WINDOW_2;
    }

    /** True if only one queue pair may use it. */
    boolean isTied() {
        return this == WINDOW_2;
    }

    @Override
    public String toString() {
        return words;
    }
}
