// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

// rule firmware-activation
/** Kind of restart of an adapter. More may follow: a switch over them wants a default. */
public enum Restart {
    /** Restarts the firmware ({@code mlxfwreset}). */
    FIRMWARE_RESET,

    /** Restarts the host; slots keep their power. */
    WARM_REBOOT,

    /** Interrupts the power of the slot. */
    POWER_CYCLE;

    /** True if this restart activates settings that await the other. */
    public boolean activates(Restart awaited) {
        return this == POWER_CYCLE || awaited != POWER_CYCLE;
    }
}
