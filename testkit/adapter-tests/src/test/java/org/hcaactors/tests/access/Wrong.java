// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

/** Mistakes in a use. */
enum Wrong {
    NOTHING("right"),
    UNKNOWN_KEY("no such key"),
    OTHER_VARIANT("other variant"),
    OTHER_DOMAIN("other domain"),
    OTHER_QUEUE_PAIR("other queue pair"),
    BELOW("one byte below"),
    BEYOND("one byte beyond"),
    NO_RIGHT("without the right"),
    REVOKED_BEFORE("revoked before"),
    REVOKED_DURING("revoked during");

    private final String words;

    Wrong(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
