// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

/** Replacement of a fault that a program arms itself, to repeat its run with fewer faults. */
public sealed interface FaultOverride {
    /** Keeps the fault. */
    record Keep() implements FaultOverride {}

    /**
     * Arms these faults instead, counting packets from the moment at which the program arms its own; an empty plan arms
     * nothing.
     */
    record These(FaultPlan plan) implements FaultOverride {}

    static FaultOverride keep() {
        return new Keep();
    }

    static FaultOverride nothing() {
        return new These(FaultPlan.NONE);
    }

    /** @throws IllegalArgumentException with line, key and what is allowed, if the text is not a plan */
    static FaultOverride these(String hocon) {
        return new These(FaultPlan.parse(hocon));
    }
}
