// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.util.Locale;

/** The two hosts between which a gateway stands, as plans of faults and captures name them. */
public enum HostSide {
    A,
    B;

    /** Returns the other one. */
    public HostSide other() {
        return this == A ? B : A;
    }

    /** Returns the name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
