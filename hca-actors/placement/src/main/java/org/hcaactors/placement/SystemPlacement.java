// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;

/** The one placement of an actor system: Cluster Sharding would give a second one the program of the first. */
final class SystemPlacement implements Extension {
    private static final ExtensionId<SystemPlacement> ID = new ExtensionId<>() {
        @Override
        public SystemPlacement createExtension(ActorSystem<?> system) {
            return new SystemPlacement();
        }
    };

    private final AtomicBoolean taken = new AtomicBoolean();

    private SystemPlacement() {}

    /** Takes the placement of the actor system; false if it has been taken. */
    static boolean take(ActorSystem<?> system) {
        return system.registerExtension(ID).taken.compareAndSet(false, true);
    }
}
