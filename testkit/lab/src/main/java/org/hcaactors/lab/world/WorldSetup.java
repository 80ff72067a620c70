// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import org.apache.pekko.actor.setup.Setup;

/** Passes a world to the dispatchers that its actor system creates by name. */
final class WorldSetup extends Setup {
    private final WorldCore core;

    WorldSetup(WorldCore core) {
        this.core = core;
    }

    WorldCore core() {
        return core;
    }
}
