// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

// rule firmware-platform
/** The kind of processors that a host has. More may follow: a switch over them wants a default. */
public enum Platform {
    /** Of Intel's kind, which are little-endian. */
    X86,

    /** IBM's, of either order of bytes: CAPI and AS-notify are there, in adapters of IBM's brand. */
    POWER9
}
