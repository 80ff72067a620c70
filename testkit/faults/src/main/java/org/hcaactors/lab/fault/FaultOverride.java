// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

/** What is armed in place of a fault that a program arms itself, so that its run can be tried with less. */
public sealed interface FaultOverride {
    /** The fault as the program arms it. */
    record Keep() implements FaultOverride {}

    /** These, which count packets from the moment at which the program arms its own; if none, nothing is armed. */
    record These(FaultPlan plan) implements FaultOverride {}

    static FaultOverride keep() {
        return new Keep();
    }

    static FaultOverride nothing() {
        return new These(FaultPlan.NONE);
    }

    /** IllegalArgumentException with line, key and what is allowed for text that is no plan. */
    static FaultOverride these(String hocon) {
        return new These(FaultPlan.parse(hocon));
    }
}
