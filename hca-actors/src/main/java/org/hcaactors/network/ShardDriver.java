// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.hcaactors.actors.shard.Drive;

/**
 * Driver of a network's shard by threads of the program, as {@code ucp_worker_progress} drives a UCX worker. {@link
 * RdmaNetwork#drive} opens it; from then on the shard's objects work only while the program calls {@link #progress}, and no
 * thread is woken for them. Subscribers and readers with {@code Delivery.ADAPTER_THREAD} are called in {@link #progress}, on its
 * thread, so they need no locks.
 *
 * <p>A loop that polls and drives needs one core and no other thread. An event loop calls {@link #progress} until it returns 0
 * and {@link #requestWakeup} returns true, and then again when the wakeup is called.
 *
 * <p>The driving thread is the one that called {@link #progress} last; before the first call it is the one that opened the driver
 * without a wakeup. {@link RdmaNetwork#await} and {@code close()} of handles on it drive, too, so handlers may be called there.
 * Another way to wait on that thread, or a wait in a handler, stops the shard: all verbs of its objects.
 *
 * <p>{@link #close} gives the shard back to its own thread, on which handlers are called from then on; a thread that ends must close
 * its drivers. Closing the network closes them, too: while the driving thread still drives, handlers are called on it to the end.
 *
 * <p>In a testkit world {@link #progress} lets the world run its next task, as an empty poll does.
 *
 * <p>Threads: any, one at a time. Limits: one open driver for each shard.
 */
public final class ShardDriver implements AutoCloseable {
    private final int shard;
    private final IntSupplier progress;
    private final BooleanSupplier wakeup;
    private final Runnable closing;
    private volatile boolean closed;

    private ShardDriver(int shard, IntSupplier progress, BooleanSupplier wakeup, Runnable closing) {
        this.shard = shard;
        this.progress = progress;
        this.wakeup = wakeup;
        this.closing = closing;
    }

    static ShardDriver of(int shard, Drive drive, Runnable closing) {
        return new ShardDriver(shard, drive::progress, drive::requestWakeup, closing);
    }

    /** Returns the driver of a simulation, which runs on the program's thread anyway. */
    static ShardDriver ofSimulation(int shard, Environment.Awaiter simulation, Runnable closing) {
        return new ShardDriver(
                shard,
                new SimulatedProgress(simulation),
                () -> {
                    throw new IllegalStateException("the shard is driven without a wakeup");
                },
                closing);
    }

    /** True until this driver or its network is closed. */
    public boolean isOpen() {
        return !closed;
    }

    /** Returns the number of the shard. */
    public int shard() {
        return shard;
    }

    /**
     * Runs what is ready on the shard, at most 64 tasks, each of which handles up to as many messages of one object as the
     * dispatcher's {@code throughput} says. Waits for nothing. Within a task of the shard it has no effect.
     *
     * @return number of tasks; 0 if none is ready, or if another thread runs the shard
     * @throws IllegalStateException if the driver is closed
     */
    public int progress() {
        checkOpen();
        return progress.getAsInt();
    }

    /**
     * Requests one call of the wakeup, by the next task that becomes ready.
     *
     * @return false if a task is ready already, and no call is requested
     * @throws IllegalStateException if the driver is closed, or was opened without a wakeup
     */
    public boolean requestWakeup() {
        checkOpen();
        return wakeup.getAsBoolean();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the driver of shard " + shard + " is closed");
        }
    }

    /** Gives the shard back to its own thread, on which handlers are called from now on; idempotent. */
    @Override
    public void close() {
        closed = true;
        closing.run();
    }

    @Override
    public String toString() {
        return "driver of shard " + shard;
    }
}
