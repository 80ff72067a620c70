// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.firmware.DisabledFeatures;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

/** Checks whether a region can accept tunneled atomics, that is, WRITEs of commands. */
public final class TunnelChecks {
    private TunnelChecks() {}

    // rule atomic-tunneled-region
    /** VerbsException (EINVAL) if it can't. */
    public static void check(Registration requested, Profile profile) {
        if (!profile.platform().has(Feature.TUNNELED_ATOMIC)) {
            throw VerbsException.invalid("a region that tunnels atomics is not available: "
                    + DisabledFeatures.reason(profile, FirmwareParameter.IBM_TUNNELED_ATOMIC_EN));
        }
        if (requested.onDemandPaging()) {
            throw VerbsException.invalid("tunneling atomics on demand is refused for " + requested.source()
                    + "; only pinned memory is allowed");
        }
        boolean own = switch (requested.source()) {
            case Source.Mapped mapped -> !(mapped.memory() instanceof PeerMemory);
            case Source.Allocated allocated -> true;
            case Source.AllocatedAt allocatedAt -> true;
            case Source.Addresses somewhere -> false;
            case Source.Physical physical -> false;
        };
        if (!own) {
            throw VerbsException.invalid("tunneling atomics is refused for " + requested.source()
                    + "; only memory of the process is allowed");
        }
    }
}
