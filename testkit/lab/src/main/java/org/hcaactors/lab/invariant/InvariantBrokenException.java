// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** A run violated an {@link Invariant}: the model has a bug, or the program under test has met one. */
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
