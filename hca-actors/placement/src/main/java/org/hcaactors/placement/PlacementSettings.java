// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.device.Profile;

/**
 * Settings of a placement, the same on all nodes. Immutable.
 *
 * @param profile of the adapters
 * @param drainTime how long a program may take to end, and its queue pairs to go; {@value #MAX_SECONDS} s at most
 * @param placeTime how long a call waits until its adapter is where it should be, without the time to drain it
 * @param role of the nodes that take adapters; empty for all nodes. Each node of the role must start a placement, others may: they take no
 *     adapters, but place them
 */
public record PlacementSettings(Profile profile, Duration drainTime, Duration placeTime, Optional<String> role) {
    private static final int MAX_SECONDS = 3600;
    private static final Duration DRAIN_TIME = Duration.ofSeconds(10);
    private static final Duration PLACE_TIME = Duration.ofSeconds(60);

    /** Throws IllegalArgumentException if a time is not above zero, or above an hour. */
    public PlacementSettings {
        check("drainTime", drainTime);
        check("placeTime", placeTime);
    }

    private static void check(String name, Duration time) {
        if (time.isNegative() || time.isZero() || time.toSeconds() > MAX_SECONDS) {
            throw new IllegalArgumentException(
                    name + " is " + time + "; a time above zero and up to " + MAX_SECONDS + " s is allowed");
        }
    }

    /** Returns settings with 10 s to drain, 60 s to place, and all nodes. */
    public static PlacementSettings of(Profile profile) {
        return new PlacementSettings(profile, DRAIN_TIME, PLACE_TIME, Optional.empty());
    }

    public PlacementSettings withDrainTime(Duration time) {
        return new PlacementSettings(profile, time, placeTime, role);
    }

    public PlacementSettings withPlaceTime(Duration time) {
        return new PlacementSettings(profile, drainTime, time, role);
    }

    public PlacementSettings withRole(String name) {
        return new PlacementSettings(profile, drainTime, placeTime, Optional.of(name));
    }
}
