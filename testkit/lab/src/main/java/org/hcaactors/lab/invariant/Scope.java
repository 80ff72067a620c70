// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** Which of the standard invariants a world has. */
public enum Scope {
    /** Those of programs, and those of the adapter's protocol. */
    PROTOCOL,
    /** Those of programs alone. */
    PROGRAM,
    /** Of both those that ask the books at rest and at the end, where there is no trace to look at. */
    AT_REST;

    /** Somebody provides what it asks for: programs' invariants always stand here. */
    public boolean isProvided() {
        return this != PROTOCOL || StandardInvariants.knowsProtocol();
    }
}
