// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that begin at the same moment; an exception of one of them fails the test. */
record ThreadGroupRunner(int size) {
    /** Action of the thread of that number. */
    @FunctionalInterface
    interface Task {
        void run(int thread) throws Exception;
    }

    static ThreadGroupRunner of(int size) {
        return new ThreadGroupRunner(size);
    }

    void each(Task task) {
        CyclicBarrier start = new CyclicBarrier(size);
        try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int thread = i;
                running.add(threads.submit(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    task.run(thread);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get(120, TimeUnit.SECONDS);
            }
        } catch (ExecutionException failed) {
            throw new AssertionError("a thread failed: " + failed.getCause(), failed.getCause());
        } catch (Exception other) {
            throw new AssertionError("the threads did not end", other);
        }
    }
}
