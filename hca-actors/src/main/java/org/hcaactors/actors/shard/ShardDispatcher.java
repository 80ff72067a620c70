// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceFactory;
import org.apache.pekko.dispatch.ExecutorServiceFactoryProvider;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.MessageDispatcherConfigurator;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/** Dispatcher of one shard. Certainly one thread at a time runs its actors, even if a turn waits. */
public final class ShardDispatcher extends Dispatcher {
    private final ShardTasks tasks;

    private ShardDispatcher(Configurator configurator, String id, ShardTasks tasks, Config config) {
        super(
                configurator,
                id,
                config.getInt("throughput"),
                Duration.create(
                        config.getDuration("throughput-deadline-time", TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS),
                new Executors(tasks),
                FiniteDuration.create(
                        config.getDuration("shutdown-timeout", TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS));
        this.tasks = tasks;
    }

    public ShardTasks tasks() {
        return tasks;
    }

    /** Configurator that {@code type} of a dispatcher's configuration names; Pekko creates it. */
    public static final class Configurator extends MessageDispatcherConfigurator {
        private final ShardDispatcher dispatcher;

        public Configurator(Config config, DispatcherPrerequisites prerequisites) {
            super(config, prerequisites);
            checkNoExecutor(config, prerequisites.settings().config().getConfig("pekko.actor.default-dispatcher"));
            dispatcher = new ShardDispatcher(this, config.getString("id"), new ShardTasks(), config);
        }

        /** Settings of executors other than the inherited ones would have no effect. */
        private static void checkNoExecutor(Config config, Config inherited) {
            for (String setting : List.of("executor", "fork-join-executor", "thread-pool-executor")) {
                if (!config.getValue(setting).equals(inherited.getValue(setting))) {
                    throw new IllegalArgumentException("the dispatcher " + config.getString("id") + " sets " + setting
                            + ", but a shard's dispatcher has one thread and no other executor; set its type to "
                            + "Dispatcher, too, or remove the setting");
                }
            }
        }

        @Override
        public MessageDispatcher dispatcher() {
            return dispatcher;
        }
    }

    /** Pekko shuts a dispatcher's executor down when no actor is left, and creates another for the next actor. */
    private record Executors(ShardTasks tasks) implements ExecutorServiceFactoryProvider {
        @Override
        public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
            ThreadFactory named = threads instanceof MonitorableThreadFactory monitored
                    ? monitored.withName(monitored.name() + "-" + id)
                    : threads;
            return () -> new ShardExecutor(tasks, named);
        }

        @Override
        public boolean isVirtualized() {
            return false;
        }
    }
}
