// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** Selects the standard invariants of a world. */
public enum Scope {
    /** The invariants of programs and those of the adapter's protocol. */
    PROTOCOL,
    /** Only the invariants of programs. */
    PROGRAM,
    /** All invariants that read the resource audit when the world is idle and at the end; there is no trace to check. */
    AT_REST;

    /** True if the invariants are available; those of programs always are. */
    public boolean isProvided() {
        return this != PROTOCOL || StandardInvariants.knowsProtocol();
    }
}
