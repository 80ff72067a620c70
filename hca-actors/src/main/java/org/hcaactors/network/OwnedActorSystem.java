// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.log.Logging;

/** Factory of the actor system of a network that has its own. */
final class OwnedActorSystem {
    private static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              scheduler.tick-duration = 1ms
              loglevel = WARNING
              loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
              logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
              log-dead-letters = off
              # Pekko would only warn that it is too late for a hook when a network is closed while the JVM ends.
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
            }
            """);

    private OwnedActorSystem() {}

    static ActorSystem<Void> create() {
        PekkoVersion.check();
        Logging.start();
        return ActorSystem.create(Behaviors.empty(), "hca", CONFIG.withFallback(ConfigFactory.load()));
    }
}
