// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A grant of entries from the ring. */
public record RingGrant(Cqe[] cqes) implements CompletionGrant {
    @Override
    public int size() {
        return cqes.length;
    }

    @Override
    public @Nullable WorkCompletion take(int index) {
        Cqe cqe = cqes[index];
        return cqe.workQueue().freeSlots(cqe.slots()) ? cqe.polled() : null;
    }

    @Override
    public Cqe at(int index) {
        return cqes[index];
    }
}
