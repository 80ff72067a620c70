// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareParameter;

/** What an adapter can't do while its firmware is not set to. */
public final class SwitchedOff {
    private SwitchedOff() {}

    // rule firmware-activation
    /** Whether something is set for it and when that counts, in words: of an adapter that can't do what the parameter turns on. */
    public static String why(Profile profile, FirmwareParameter parameter) {
        if (profile.firmware().range(parameter).isEmpty()) {
            return profile.name() + " has none, nor a firmware setting for it";
        }
        String restart =
                switch (parameter.awaits()) {
                    case FIRMWARE_RESET -> "firmware reset";
                    case WARM_REBOOT -> "warm reboot";
                    case POWER_CYCLE -> "power cycle";
                };
        return parameter + " is off in " + profile.name() + "'s firmware; set it, and it is there from the next "
                + restart + " on";
    }
}
