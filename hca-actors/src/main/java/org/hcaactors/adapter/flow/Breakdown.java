// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.util.Arrays;
import java.util.Optional;

/** Why a queue pair is broken although it did nothing wrong: what it depends on is. */
public enum Breakdown {
    ITS_ACTOR("its actor crashed"),
    COMPLETION_QUEUE("its completion queue is in error"),
    SHARED_RECEIVES("its shared receive queue is in error"),
    DEVICE("the adapter is in error");

    private final String words;

    Breakdown(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    public static Optional<Breakdown> of(String words) {
        return Arrays.stream(values()).filter(one -> one.words.equals(words)).findFirst();
    }
}
