// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/** Makes every dispatcher of a world's actor system run on the world's queue. Pekko instantiates it by its class name. */
public final class WorldExecutorConfigurator extends ExecutorServiceConfigurator {
    /** Dispatchers of programs: their stages and subscribers, their actors and streams. */
    private static final Set<String> PROGRAMS = Set.of("hca.caller-dispatcher", "pekko.actor.default-dispatcher");

    private final CurrentWorld world;

    public WorldExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        world = prerequisites.settings().setup().get(CurrentWorld.class).orElseThrow();
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
        return () -> new OnWorld(
                PROGRAMS.contains(id)
                        ? step -> world.core().executeOfProgram(step)
                        : task -> world.core().execute(task));
    }

    private static final class OnWorld extends AbstractExecutorService {
        private final Executor world;

        OnWorld(Executor world) {
            this.world = world;
        }

        @Override
        public void execute(Runnable task) {
            world.execute(task);
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
