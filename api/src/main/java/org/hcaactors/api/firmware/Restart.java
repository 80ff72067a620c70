// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

// rule firmware-activation
/** How an adapter starts anew. More may follow: a switch over them wants a default. */
public enum Restart {
    /** The firmware alone ({@code mlxfwreset}). */
    FIRMWARE_RESET,

    /** The machine, whose slots keep their power. */
    WARM_REBOOT,

    /** The slot has no power for a moment. */
    POWER_CYCLE;

    /** Settings that wait for that one are in effect after this one. */
    public boolean activates(Restart awaited) {
        return this == POWER_CYCLE || awaited != POWER_CYCLE;
    }
}
