// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Totals of all workers. */
final class Totals {
    final AtomicLong processes = new AtomicLong();
    final LongAdder rounds = new LongAdder();
    final LongAdder objects = new LongAdder();
    final LongAdder requests = new LongAdder();
    /** Number of stages returned by verbs; also numbers them. */
    final AtomicLong stages = new AtomicLong();

    final LongAdder ended = new LongAdder();
    /** Number of payloads; also numbers them. */
    final AtomicLong messages = new AtomicLong();

    /** Bytes of requests that succeeded. */
    final LongAdder transferred = new LongAdder();

    /** Transferred and received bytes that were compared with what had been sent. */
    final LongAdder verified = new LongAdder();

    final LongAdder crashes = new LongAdder();

    Soak.Done done() {
        // Reads the completed ones first: a stage that completes in between counts as open, never as completed without
        // being
        // returned.
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
