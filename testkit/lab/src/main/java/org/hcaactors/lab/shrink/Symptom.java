package org.hcaactors.lab.shrink;

import org.hcaactors.lab.invariant.InvariantBrokenException;

/**
 * How a run failed, as far as two runs must agree to have failed the same way: the invariant that broke, or the class of the
 * error.
 */
public record Symptom(String kind) {
    public static Symptom of(Throwable failure) {
        return failure instanceof InvariantBrokenException broken
                ? new Symptom("invariant " + broken.violation().invariant())
                : new Symptom(failure.getClass().getName());
    }

    @Override
    public String toString() {
        return kind;
    }
}
