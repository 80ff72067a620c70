package org.hcaactors.lab.soak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the lanes have done together. */
final class Tally {
    final AtomicLong processes = new AtomicLong();
    final LongAdder rounds = new LongAdder();
    final LongAdder objects = new LongAdder();
    final LongAdder requests = new LongAdder();

    Soak.Done done() {
        return new Soak.Done(rounds.sum(), objects.sum(), requests.sum());
    }
}
