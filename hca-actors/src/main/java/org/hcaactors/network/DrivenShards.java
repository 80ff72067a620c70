// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.hcaactors.actors.shard.Drive;

/** Shards of a network that threads of the program drive. Threads: any. */
final class DrivenShards {
    /** Pause of a thread that drives while it waits, and finds nothing to do. */
    private static final long PAUSE_NANOS = 20_000;

    /** Number of looks before it pauses. */
    private static final int LOOKS = 1000;

    private record Driven(int shard, Drive drive) {}

    private final List<Driven> open = new CopyOnWriteArrayList<>();

    ShardDriver open(int shard, Drive drive) {
        Driven driven = new Driven(shard, drive);
        open.add(driven);
        return ShardDriver.of(shard, drive, () -> {
            open.remove(driven);
            drive.close();
        });
    }

    /** Drives the shards of the calling thread until the stage is complete; returns what is left of the time. */
    Duration driveUntil(CompletionStage<?> stage, Duration atMost) {
        Thread self = Thread.currentThread();
        List<Drive> mine = open.stream()
                .map(Driven::drive)
                .filter(drive -> drive.thread() == self && !drive.isRunningHere())
                .toList();
        if (mine.isEmpty()) {
            return atMost;
        }
        CompletableFuture<?> done = stage.toCompletableFuture();
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(atMost);
        int looks = 0;
        while (!done.isDone() && System.nanoTime() - start < limit && !self.isInterrupted()) {
            if (mine.stream().mapToInt(Drive::progress).sum() > 0) {
                looks = 0;
            } else if (looks++ < LOOKS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        Duration left = atMost.minusNanos(System.nanoTime() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Adds to the text of a timeout who drives shards. */
    String explain(String reason) {
        return open.isEmpty()
                ? reason
                : reason + "; "
                        + open.stream()
                                .map(driven -> "shard " + driven.shard + " runs only while thread "
                                        + driven.drive.thread().getName() + " drives it")
                                .collect(Collectors.joining("; "));
    }
}
