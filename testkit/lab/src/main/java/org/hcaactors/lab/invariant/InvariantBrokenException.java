// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** A run broke an {@link Invariant}: the model is wrong, or the program under test was let down by it. */
public final class InvariantBrokenException extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient Violation violation;

    public InvariantBrokenException(Violation violation, long seed) {
        super("seed " + seed + ": " + violation);
        this.violation = violation;
    }

    public Violation violation() {
        return violation;
    }
}
