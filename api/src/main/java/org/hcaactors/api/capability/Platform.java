// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

// rule firmware-platform
/** Processor family of a host. More may follow: a switch over them wants a default. */
public enum Platform {
    /** Intel architecture, little-endian. */
    X86,

    /** IBM POWER9, little-endian or big-endian; CAPI and AS-notify are available with IBM-branded adapters. */
    POWER9
}
