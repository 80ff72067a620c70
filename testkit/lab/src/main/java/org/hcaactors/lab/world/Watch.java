// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import org.hcaactors.lab.invariant.InvariantProvider;
import org.hcaactors.lab.invariant.Scope;

/** Observation of a world. Less observation is faster and closer to production. */
public enum Watch {
    /**
     * Records everything and checks every invariant, including those of the adapter's protocol as far as an
     * {@link InvariantProvider} supplies them. For changes to adapters, and for programs that may have found a bug in one.
     * Without a provider, a world throws IllegalStateException.
     */
    PROTOCOL,
    /** Records everything and checks the invariants of programs only. */
    PROGRAM,
    /** Records everything and checks nothing; for measurements, and for tests that break a rule on purpose. */
    RECORDED,
    /**
     * Records nothing, so packet batches take the fabric's fast path and payload arrays are reused, as in production. Errors
     * show only in bytes, in completions and in stages that do not complete.
     */
    NOBODY;

    /** Returns {@link #PROTOCOL} if an {@link InvariantProvider} is on the class path, otherwise {@link #PROGRAM}. */
    public static Watch strictest() {
        return Scope.PROTOCOL.isProvided() ? PROTOCOL : PROGRAM;
    }

    /** True if invariants receive the events. */
    boolean isChecked() {
        return this == PROTOCOL || this == PROGRAM;
    }

    /** False for a world whose owner breaks rules on purpose. */
    boolean isJudged() {
        return this != RECORDED;
    }

    /** Returns which standard invariants apply. */
    Scope scope() {
        return switch (this) {
            case PROTOCOL -> Scope.PROTOCOL;
            case PROGRAM -> Scope.PROGRAM;
            case RECORDED, NOBODY -> Scope.AT_REST;
        };
    }
}
