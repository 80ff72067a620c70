// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import com.typesafe.config.Config;
import java.io.Closeable;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Cancellable$;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * Pekko's timers on virtual time. Pekko instantiates the class by its name within {@code ActorSystem.create} and passes nothing
 * that leads to the world, so the world that is booting on this thread is kept in a thread-local.
 */
public final class WorldScheduler extends AbstractScheduler implements Closeable {
    private static final ThreadLocal<CurrentWorld> BOOTING = new ThreadLocal<>();

    private final CurrentWorld world;

    public WorldScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
        CurrentWorld booting = BOOTING.get();
        if (booting == null) {
            throw new IllegalStateException(
                    "this scheduler can be created only while a world starts on the same thread");
        }
        world = booting;
    }

    /** Runs {@code boot} so that a scheduler created within it belongs to this world. */
    static void whileBooting(CurrentWorld world, Runnable boot) {
        BOOTING.set(world);
        try {
            boot.run();
        } finally {
            BOOTING.remove();
        }
    }

    @Override
    public Cancellable schedule(
            FiniteDuration initial, FiniteDuration interval, Runnable task, ExecutionContext executor) {
        return world.core().schedule(initial.toNanos(), interval.toNanos(), task, executor);
    }

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
        if (task instanceof Scheduler.TaskRunOnClose) {
            // A dispatcher without actors would end its threads after a second. A world's has none, and one that a
            // world uses
            // after another would set this timer in the first only.
            return Cancellable$.MODULE$.alreadyCancelled();
        }
        return world.core().schedule(delay.toNanos(), -1, task, executor);
    }

    @Override
    public double maxFrequency() {
        return 1e9;
    }

    @Override
    public void close() {}
}
