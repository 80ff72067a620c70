// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;

/** Blocks the thread that records a certain event until it is released. */
final class TraceGate implements TraceSink {
    private final Predicate<TraceEvent> stops;
    private final AtomicLong ids = new AtomicLong();
    private final CountDownLatch there = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    TraceGate(Predicate<TraceEvent> stops) {
        this.stops = stops;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public long nextId() {
        return ids.incrementAndGet();
    }

    @Override
    public void record(TraceEvent event) {
        if (stops.test(event)) {
            there.countDown();
            await(go, "the gate is opened");
        }
    }

    /** Waits until a thread is blocked here. */
    void awaitOne() {
        await(there, "an event stands at the gate");
    }

    void open() {
        go.countDown();
    }

    private static void await(CountDownLatch latch, String what) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).as(what).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
