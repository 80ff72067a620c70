// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** Virtual time as a clock; a world begins at the epoch. */
final class WorldClock extends Clock {
    private static final long SECOND = 1_000_000_000;

    private final WorldCore core;
    private final ZoneId zone;

    WorldClock(WorldCore core, ZoneId zone) {
        this.core = core;
        this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new WorldClock(core, other);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(core.now() / SECOND, core.now() % SECOND);
    }
}
