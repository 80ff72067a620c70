// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import org.hcaactors.lab.invariant.InvariantProvider;
import org.hcaactors.lab.invariant.Scope;

/** Who looks at a world; the fewer do, the faster it runs, and the more as in production. */
public enum Watch {
    /**
     * Everything is recorded, and every invariant is checked, those of the adapter's protocol, too, as far as an {@link InvariantProvider}
     * brings them: for those who change adapters, and for programs that are suspected of having found a bug in one. Without any provider a
     * world refuses it with an IllegalStateException.
     */
    PROTOCOL,
    /** Everything is recorded, and what programs do is judged: the invariants of programs are checked, and no others. */
    PROGRAM,
    /** Everything is recorded; for a measurement, and for tests that break a rule on purpose. */
    RECORDED,
    /**
     * Nothing is recorded, so trains take the fabric's common way and the arrays of payloads serve again, as in production.
     * What is wrong shows in bytes, in completions and in stages that don't end.
     */
    NOBODY;

    /** {@link #PROTOCOL} where an {@link InvariantProvider} is on the class path, {@link #PROGRAM} elsewhere. */
    public static Watch strictest() {
        return Scope.PROTOCOL.isProvided() ? PROTOCOL : PROGRAM;
    }

    /** Events are shown to invariants. */
    boolean isChecked() {
        return this == PROTOCOL || this == PROGRAM;
    }

    /** False for a world whose owner breaks rules on purpose. */
    boolean isJudged() {
        return this != RECORDED;
    }

    /** Which of the standard invariants there are. */
    Scope scope() {
        return switch (this) {
            case PROTOCOL -> Scope.PROTOCOL;
            case PROGRAM -> Scope.PROGRAM;
            case RECORDED, NOBODY -> Scope.AT_REST;
        };
    }
}
