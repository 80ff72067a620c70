// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** Who looks at a world; the fewer do, the more of it runs as in production. */
public enum Watch {
    /** Everything is recorded, and every invariant is checked. */
    CHECKED,
    /** Everything is recorded; for a measurement, and for tests that break a rule on purpose. */
    RECORDED,
    /**
     * Nothing is recorded, so trains take the fabric's common way and the arrays of payloads serve again, as in production.
     * What is wrong shows in bytes, in completions and in stages that don't end.
     */
    NOBODY;

    boolean isChecked() {
        return this == CHECKED;
    }

    /** False for a world whose owner breaks rules on purpose. */
    boolean isJudged() {
        return this != RECORDED;
    }
}
