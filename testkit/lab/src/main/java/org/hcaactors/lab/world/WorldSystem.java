// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarFile;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.log.Logging;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * Pekko's actor system on the thread, in the order and by the clock of a world. Starting one takes half of the time of a short
 * run, so a thread's next world uses the system of the world before, unless a program had access to it or it did not close in
 * order. A run is the same in both: the system starts outside of the run, in a fixed order.
 */
final class WorldSystem {
    private static final String EXTENSIONS = "pekko.library-extensions";
    private static final Config OWN = own();
    private static final ClassLoader CLASSES = new WithoutManifests(WorldSystem.class.getClassLoader());

    /** The thread's system that no world uses; the only thing that a world leaves to the next. */
    private static final ThreadLocal<@Nullable WorldSystem> IDLE = new ThreadLocal<>();

    private final WorldCore outside;
    private final CurrentWorld world;
    private final ActorSystem<Void> system;
    private final Set<String> actors;
    private boolean shared;

    private WorldSystem() {
        Logging.start();
        outside = new WorldCore(new RunQueue(Schedule.inOrder()), Pace.INSTANT, 0);
        world = new CurrentWorld(outside);
        CompletableFuture<ActorSystem<Void>> booted = new CompletableFuture<>();
        ActorSystemSetup setup = ActorSystemSetup.create(bootstrap(), world);
        WorldScheduler.whileBooting(
                world,
                () -> pumping(outside, () -> booted.complete(ActorSystem.create(Behaviors.empty(), "world", setup))));
        system = booted.join();
        outside.drain();
        actors = new ActorRegistry(system).all();
    }

    /** Returns a system that runs in that world from now on. */
    static WorldSystem in(WorldCore core) {
        WorldSystem idle = IDLE.get();
        IDLE.remove();
        WorldSystem entered = idle == null ? new WorldSystem() : idle;
        core.booted();
        entered.world.set(core);
        return entered;
    }

    ActorSystem<Void> system() {
        return system;
    }

    /** Returns the system to a program, which may change it; no other world uses it afterwards. */
    ActorSystem<Void> share() {
        shared = true;
        return system;
    }

    /** True if a program may have actors of its own in the system. */
    boolean isShared() {
        return shared;
    }

    /** Keeps the system for the thread's next world and returns true, if it is as it was at the start. */
    boolean leave() {
        if (shared || !new ActorRegistry(system).all().equals(actors)) {
            return false;
        }
        outside.adopt();
        world.set(outside);
        IDLE.set(this);
        return true;
    }

    /** Runs the world wherever Scala code blocks, which Pekko does during start-up. */
    private static void pumping(WorldCore core, Runnable body) {
        BlockContext pump = new BlockContext() {
            @Override
            public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
                core.drain();
                return thunk.apply();
            }
        };
        BlockContext.withBlockContext(pump, () -> {
            body.run();
            return true;
        });
    }

    private static BootstrapSetup bootstrap() {
        return BootstrapSetup.create(Optional.of(CLASSES), Optional.of(config()), Optional.empty());
    }

    /** Sorts the extensions by name. In class path order, a seed would give another run on each class path. */
    private static Config config() {
        Config found = ConfigFactory.load(CLASSES);
        List<String> started = found.getStringList(EXTENSIONS).stream()
                .sorted(Comparator.reverseOrder())
                .toList();
        return OWN.withValue(EXTENSIONS, ConfigValueFactory.fromIterable(started))
                .withFallback(found);
    }

    /**
     * Class loader that hides manifests. Pekko reads those of all jars at every start to check that all are of one release;
     * this takes more than a third of the start-up time, and a sweep starts thousands of systems on the same jars. All worlds
     * share one instance, as configurations are cached by class loader.
     */
    private static final class WithoutManifests extends ClassLoader {
        WithoutManifests(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(JarFile.MANIFEST_NAME) ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }

    private static Config own() {
        String executor = "{ type = Dispatcher, executor = \"" + WorldExecutorConfigurator.class.getName()
                + "\", throughput = 1 }";
        return ConfigFactory.parseString(
                """
                        pekko {
                          scheduler.implementation = "%1$s"
                          actor.default-dispatcher = %2$s
                          actor.internal-dispatcher = %2$s
                          actor.default-blocking-io-dispatcher = %2$s
                          actor.typed.default-mailbox.mailbox-type = "%3$s"
                          io.pinned-dispatcher = %2$s
                          loggers-dispatcher = "pekko.actor.default-dispatcher"
                          loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                          logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                          loglevel = WARNING
                          jvm-shutdown-hooks = off
                          coordinated-shutdown.run-by-jvm-shutdown-hook = off
                          log-dead-letters = off
                        }
                        hca.device-dispatcher = %2$s
                        hca.caller-dispatcher = %2$s
                        """.formatted(WorldScheduler.class.getName(), executor, WorldMailbox.class.getName()));
    }
}
