// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareParameter;

/** What an adapter can't do while its firmware is not set to. */
public final class DisabledFeatures {
    private DisabledFeatures() {}

    // rule firmware-platform
    /** VerbsException (EOPNOTSUPP) where the adapter's firmware has a setting for it, which its host's processors keep from being turned on. */
    public static void refuseElsewhere(String what, Profile profile, FirmwareParameter parameter, Platform here) {
        parameter
                .wants()
                .filter(wants ->
                        wants != here && profile.firmware().range(parameter).isPresent())
                .ifPresent(wants -> {
                    throw new VerbsException(
                            Errno.EOPNOTSUPP,
                            what + "; " + parameter + " can't be turned on in a host of " + here + ", it wants "
                                    + wants);
                });
    }

    // rule firmware-activation
    /** Whether something is set for it and when that counts, in words: of an adapter that can't do what the parameter turns on. */
    public static String reason(Profile profile, FirmwareParameter parameter) {
        if (profile.firmware().range(parameter).isEmpty()) {
            return profile.name() + " has none, nor a firmware setting for it";
        }
        String restart = switch (parameter.awaits()) {
            case FIRMWARE_RESET -> "firmware reset";
            case WARM_REBOOT -> "warm reboot";
            case POWER_CYCLE -> "power cycle";
        };
        return parameter + " is off in " + profile.name() + "'s firmware; set it, and it is there from the next "
                + restart + " on";
    }
}
