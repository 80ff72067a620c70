// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.Dispatchers;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.actors.shard.Drive;
import org.hcaactors.actors.shard.ShardDispatcher;
import org.hcaactors.actors.shard.ShardTasks;

/** Shards of a network that threads of the program drive. Threads: any. */
final class DrivenShards {
    /** Pause of a thread that drives while it waits, and finds nothing to do. */
    private static final long PAUSE_NANOS = 20_000;

    /** Number of looks before it pauses. */
    private static final int LOOKS = 1000;

    /** Time in which a thread that drives answers when its network is closed. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private record Driven(ShardDriver driver, Drive drive) {}

    private final List<Driven> open = new CopyOnWriteArrayList<>();

    /** Numbers of the shards of a simulation, which need no driving. */
    private final Set<Integer> simulated = new ConcurrentSkipListSet<>();

    private final Shards shards;
    private final Dispatchers dispatchers;
    private final Environment.Awaiter awaiter;

    DrivenShards(Shards shards, Dispatchers dispatchers, Environment.Awaiter awaiter) {
        this.shards = shards;
        this.dispatchers = dispatchers;
        this.awaiter = awaiter;
    }

    /** @see RdmaNetwork#drive(int, Runnable) */
    ShardDriver drive(int shard, Optional<Runnable> wakeup) {
        if (shard < 0 || shard >= shards.count()) {
            throw new IllegalArgumentException(
                    "there is no shard " + shard + " to drive; 0 to " + (shards.count() - 1) + " is allowed");
        }
        if (awaiter.isSimulation()) {
            return driveSimulated(shard, wakeup);
        }
        if (dispatchers.lookup(shards.at(shard)) instanceof ShardDispatcher dispatcher) {
            return open(shard, dispatcher.tasks().drive(wakeup));
        }
        throw new IllegalStateException(
                "shard " + shard + " can't be driven: the actor system's configuration gives it "
                        + "another type of dispatcher than reference.conf does");
    }

    /**
     * Returns an executor that runs an action on the calling thread, and then what it made ready on the shards, as far as no other thread
     * runs their tasks. It is for a thread that waits for something, and costs less than to wake theirs.
     */
    Executor assistance() {
        Executor all = Runnable::run;
        for (ShardTasks tasks : tasks()) {
            Executor others = all;
            all = action -> tasks.assist(() -> others.execute(action));
        }
        return all;
    }

    /** Returns the tasks of the shards that run on threads. */
    List<ShardTasks> tasks() {
        List<ShardTasks> all = new ArrayList<>();
        for (int shard = 0; shard < shards.count() && !awaiter.isSimulation(); shard++) {
            if (dispatchers.lookup(shards.at(shard)) instanceof ShardDispatcher dispatcher) {
                all.add(dispatcher.tasks());
            }
        }
        return List.copyOf(all);
    }

    private ShardDriver open(int shard, Drive drive) {
        ShardDriver driver = ShardDriver.of(shard, drive, () -> {
            open.removeIf(each -> each.drive == drive);
            drive.close();
        });
        open.add(new Driven(driver, drive));
        return driver;
    }

    private ShardDriver driveSimulated(int shard, Optional<Runnable> wakeup) {
        if (wakeup.isPresent()) {
            throw new IllegalStateException(
                    "a world runs its adapters on the program's thread and wakes nobody; drive the shard without a wakeup");
        }
        if (!simulated.add(shard)) {
            throw new IllegalStateException("the program drives this shard already; close that driver first");
        }
        return ShardDriver.ofSimulation(shard, awaiter, () -> simulated.remove(shard));
    }

    /**
     * Drives the shards of the calling thread until the stage is complete. Returns true if the time was over before; false at
     * once if the thread drives none or is called by one of them, and if it is interrupted.
     */
    boolean isOverWhileDriving(CompletionStage<?> stage, Duration atMost) {
        Thread self = Thread.currentThread();
        List<Drive> mine = open.stream()
                .map(Driven::drive)
                .filter(drive -> drive.thread().filter(self::equals).isPresent() && !drive.isRunningHere())
                .toList();
        if (mine.isEmpty()) {
            return false;
        }
        CompletableFuture<?> done = stage.toCompletableFuture();
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(atMost);
        int looks = 0;
        while (!done.isDone() && !self.isInterrupted()) {
            if (System.nanoTime() - start >= limit) {
                return true;
            }
            int tasks = 0;
            for (Drive drive : mine) {
                tasks += drive.progressOf(self);
            }
            if (tasks > 0) {
                looks = 0;
            } else if (looks++ < LOOKS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        return false;
    }

    /** Adds to the text of a timeout who drives shards. */
    String explain(String reason) {
        return open.stream()
                .map(each -> "; shard " + each.driver.shard() + explain(each.drive))
                .collect(Collectors.joining("", reason, ""));
    }

    private static String explain(Drive drive) {
        if (drive.isRunningHere()) {
            return " stands still while one of its handlers waits";
        }
        return drive.thread()
                .map(thread -> thread.isAlive()
                        ? " runs only while thread " + thread.getName() + " drives it"
                        : " stands still: thread " + thread.getName() + ", which drove it, has ended")
                .orElse(" runs only while a thread drives it, and none has begun");
    }

    /** Closes drivers of other threads that do not drive now, so that a network can be closed. */
    void closeIdle() {
        for (Driven each : open) {
            boolean mine =
                    each.drive.thread().filter(Thread.currentThread()::equals).isPresent();
            if (!mine && (each.drive.isAbandoned() || !answers(each.drive))) {
                each.driver.close();
            }
        }
    }

    private static boolean answers(Drive drive) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        drive.add(() -> answer.complete(true));
        return answer.completeOnTimeout(false, ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    void closeAll() {
        open.forEach(each -> each.driver.close());
    }
}
