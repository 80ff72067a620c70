// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqDescription;

/** What an adapter's shared receive queues may be asked for. What is refused is a VerbsException. */
record SrqTerms(SharedReceiveCapabilities can) {
    SrqCapacity capacity(SrqDescription wanted) {
        return SrqCapacity.of(Limits.within("maxWr", wanted.maxWr(), 1, can.maxWr()))
                .withMaxSge(Limits.within("maxSge", wanted.maxSge(), 0, can.maxSge()));
    }

    /** @param slots that the queue has now */
    static void checkLimit(int limit, int slots) {
        if (limit < 0 || limit > slots) {
            throw VerbsException.invalid("a limit of " + limit + " receives; 0 to " + slots + " is allowed");
        }
    }

    void checkResize(int maxWr) {
        if (maxWr < 1 || maxWr > can.maxWr()) {
            throw VerbsException.invalid(
                    "a shared receive queue of " + maxWr + "; 1 to " + can.maxWr() + " is allowed");
        }
    }
}
