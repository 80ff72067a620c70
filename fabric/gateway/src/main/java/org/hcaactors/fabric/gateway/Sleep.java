// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Waits of one thread, which any thread ends. If they were ended since the last one, the next one ends at once. */
final class Sleep {
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Optional<Thread> sleeper = Optional.empty();

    /**
     * Waits until {@link #end} is called. It may also return for no reason.
     *
     * @param nanos at most so long; 0 not at all, Long.MAX_VALUE without limit
     */
    void sleep(long nanos) throws InterruptedException {
        Thread self = Thread.currentThread();
        sleeper = Optional.of(self);
        if (nanos > 0 && !ended.get()) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = Optional.empty();
        ended.set(false);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Ends the wait. Costs little if it was ended already. */
    void end() {
        if (!ended.get() && ended.compareAndSet(false, true)) {
            sleeper.ifPresent(LockSupport::unpark);
        }
    }
}
