// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareParameter;

/** Refusals of features that are off in an adapter's firmware. */
public final class DisabledFeatures {
    private DisabledFeatures() {}

    // rule firmware-platform
    /**
     * VerbsException (EOPNOTSUPP) if the adapter has a firmware parameter for the feature that the host's processor
     * architecture does not permit to be turned on.
     */
    public static void checkPlatform(String what, Profile profile, FirmwareParameter parameter, Platform platform) {
        parameter
                .requiredPlatform()
                .filter(required -> required != platform
                        && profile.firmware().range(parameter).isPresent())
                .ifPresent(required -> {
                    throw new VerbsException(
                            Errno.EOPNOTSUPP,
                            what + " is not available: " + parameter + " can't be set on a host of platform " + platform
                                    + "; it requires " + required);
                });
    }

    // rule firmware-activation
    /** Returns why an adapter lacks a feature, as text: whether a firmware parameter turns it on, and after which restart. */
    public static String reason(Profile profile, FirmwareParameter parameter) {
        if (profile.firmware().range(parameter).isEmpty()) {
            return profile.name() + " has neither this feature nor a firmware setting for it";
        }
        String restart = switch (parameter.appliesAfter()) {
            case FIRMWARE_RESET -> "firmware reset";
            case WARM_REBOOT -> "warm reboot";
            case POWER_CYCLE -> "power cycle";
        };
        return parameter + " is off in " + profile.name()
                + "'s firmware; set it to True, and the feature is available after the next " + restart;
    }
}
