// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.log.Logging;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.fault.CrashCommand;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/** A network in an actor system that belongs to the soak, which can crash its actors and count them. */
final class HostedNetwork implements AutoCloseable {
    private final ActorSystem<Void> system;
    private final CaughtExceptions ownThrows = new CaughtExceptions();
    private final RdmaNetwork network;
    private final Adapter a;
    private final Adapter b;

    /**
     * Creates the network.
     *
     * @param deviceThreads threads of the adapters; 1 is a network's default, with more, actors also run at the same time
     */
    HostedNetwork(int deviceThreads) {
        this(deviceThreads, Profile.CONNECTX_5);
    }

    HostedNetwork(int deviceThreads, Profile profile) {
        Logging.start();
        system = ActorSystem.create(Behaviors.empty(), "soak", config(deviceThreads));
        network = RdmaNetwork.on(system, Environment.production().withAudit(ownThrows));
        a = network.addAdapter("a", profile);
        b = network.addAdapter("b", profile);
    }

    private static Config config(int deviceThreads) {
        return ConfigFactory.parseString("""
                        pekko {
                          scheduler.tick-duration = 1ms
                          loglevel = WARNING
                          loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                          logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                          log-dead-letters = off
                          jvm-shutdown-hooks = off
                          coordinated-shutdown.run-by-jvm-shutdown-hook = off
                        }
                        """)
                .withFallback(threads(deviceThreads))
                .withFallback(ConfigFactory.load());
    }

    /** With one thread, the dispatcher that programs have. */
    private static Config threads(int deviceThreads) {
        return deviceThreads == 1 ? ConfigFactory.empty() : ConfigFactory.parseString("""
                        hca.device-dispatcher {
                          type = Dispatcher, executor = "fork-join-executor"
                          fork-join-executor { parallelism-min = %1$d, parallelism-max = %1$d }
                        }
                        """.formatted(deviceThreads));
    }

    /** Returns the first exception thrown by one of the library's own subscribers. */
    Optional<String> ownThrow() {
        return ownThrows.first();
    }

    RdmaNetwork network() {
        return network;
    }

    Adapter a() {
        return a;
    }

    Adapter b() {
        return b;
    }

    /** Crashes the actor with a message that makes it throw. */
    void crash(CrashTarget victim) {
        CrashCommand.crash(system, victim);
    }

    /** Returns the actors below its adapters: none while nothing is open. */
    List<String> actors() {
        if (!(system.classicSystem() instanceof ExtendedActorSystem extended)) {
            throw new IllegalStateException(
                    "the actor system is not an ExtendedActorSystem, so its actors cannot be listed");
        }
        return ActorTree.belowAdapters(extended.printTree(), CrashTarget.NETWORK);
    }

    @Override
    public void close() {
        network.close();
        system.terminate();
        network.await(system.getWhenTerminated());
    }
}
