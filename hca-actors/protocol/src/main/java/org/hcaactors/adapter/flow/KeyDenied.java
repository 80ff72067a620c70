// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** A key does not serve a use. */
public record KeyDenied(Name name, int key, Denial reason) implements Reason {
    /** How the key was named. */
    public enum Name {
        L_KEY,
        R_KEY,
        /** Neither for a use here nor from afar, but for itself. */
        KEY
    }
}
