// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the lanes have done together. */
final class Totals {
    final AtomicLong processes = new AtomicLong();
    final LongAdder rounds = new LongAdder();
    final LongAdder objects = new LongAdder();
    final LongAdder requests = new LongAdder();
    /** Given by verbs; numbers them, too. */
    final AtomicLong stages = new AtomicLong();

    final LongAdder ended = new LongAdder();
    /** Numbers payloads. */
    final AtomicLong messages = new AtomicLong();

    /** Bytes of requests that succeeded. */
    final LongAdder transferred = new LongAdder();

    /** Of these, and of what was received, those that were looked at and were what had been sent. */
    final LongAdder verified = new LongAdder();

    final LongAdder crashes = new LongAdder();

    Soak.Done done() {
        // Ended before given: a stage that ends in between is open, and never ended without having been given.
        long over = ended.sum();
        return new Soak.Done(
                rounds.sum(),
                objects.sum(),
                requests.sum(),
                stages.get(),
                over,
                transferred.sum(),
                verified.sum(),
                crashes.sum());
    }
}
