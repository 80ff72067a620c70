// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/** Result of comparing a figure. */
public enum Finding {
    WITHIN_NOISE("within noise"),
    BETTER("moved: better"),
    WORSE("moved: WORSE");

    private final String words;

    Finding(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
