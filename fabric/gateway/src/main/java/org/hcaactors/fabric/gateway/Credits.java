// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hcaactors.fabric.link.Endpoint;

/**
 * Packets that may be handed to the fabric. While there are none, the reader does not read its sockets, whose buffers then fill
 * and lose packets. Any thread gives back, one at a time takes.
 */
final class Credits {
    private static final int LONGEST_WAIT_SECONDS = 1;

    private final Semaphore available = new Semaphore(Endpoint.INITIAL_CREDITS);

    /** Takes all; waits until there is one. */
    int takeAll() throws InterruptedException {
        int taken = available.drainPermits();
        while (taken == 0) {
            if (available.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                taken = 1 + available.drainPermits();
            }
        }
        return taken;
    }

    /** Takes all that there are now. */
    int takeNow() {
        return available.drainPermits();
    }

    void giveBack(int packets) {
        available.release(packets);
    }
}
