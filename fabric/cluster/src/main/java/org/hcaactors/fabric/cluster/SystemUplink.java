// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;

/**
 * The one uplink of an actor system. Other nodes know a node by its uid, and count its packets: a second uplink under the same uid
 * would begin to count again, and they would drop its packets.
 */
final class SystemUplink implements Extension {
    private static final ExtensionId<SystemUplink> ID = new ExtensionId<>() {
        @Override
        public SystemUplink createExtension(ActorSystem<?> system) {
            return new SystemUplink();
        }
    };

    private final AtomicBoolean taken = new AtomicBoolean();

    private SystemUplink() {}

    /** Takes the uplink of the actor system; false if it has been taken. */
    static boolean take(ActorSystem<?> system) {
        return system.registerExtension(ID).taken.compareAndSet(false, true);
    }
}
