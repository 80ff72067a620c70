// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** A key does not permit an access or a change. */
public record KeyDenied(Name name, int key, Denial reason) implements Reason {
    /** The way in which the key was named. */
    public enum Name {
        L_KEY,
        R_KEY,
        /** As neither a local nor a remote key: the operation is about the key itself. */
        KEY
    }
}
