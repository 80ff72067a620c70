// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Executor that adds tasks to a shard, and whose life is that of the shard's own thread. */
final class ShardExecutor extends AbstractExecutorService {
    private final ShardTasks tasks;
    private final Thread own;
    private volatile boolean stopped;

    ShardExecutor(ShardTasks tasks, ThreadFactory threads) {
        this.tasks = tasks;
        own = tasks.start(threads);
    }

    @Override
    public void execute(Runnable task) {
        if (stopped) {
            throw new RejectedExecutionException("the shard's dispatcher is shut down");
        }
        tasks.add(task);
        // The shard's own thread may have ended between the two; Pekko gives a rejected task to another executor.
        if (stopped && tasks.remove(task)) {
            throw new RejectedExecutionException("the shard's dispatcher was shut down");
        }
    }

    @Override
    public void shutdown() {
        stopped = true;
        tasks.stop(own);
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return stopped;
    }

    @Override
    public boolean isTerminated() {
        return !own.isAlive();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        unit.timedJoin(own, timeout);
        return !own.isAlive();
    }
}
