// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import org.apache.pekko.actor.setup.Setup;

/** The world that an actor system runs in now; passed to the dispatchers and the mailboxes that the system creates by name. */
final class CurrentWorld extends Setup {
    private volatile WorldCore core;

    CurrentWorld(WorldCore core) {
        this.core = core;
    }

    WorldCore core() {
        return core;
    }

    void set(WorldCore next) {
        core = next;
    }
}
