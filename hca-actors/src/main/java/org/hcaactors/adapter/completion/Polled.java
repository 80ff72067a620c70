// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.Arrays;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A grant of entries that stood in the ring. */
record Polled(Cqe[] cqes, WorkCompletion[] entries) implements Grant {
    Polled(Cqe[] cqes) {
        this(cqes, Arrays.stream(cqes).map(Cqe::entry).toArray(WorkCompletion[]::new));
    }

    @Override
    public @Nullable WorkCompletion handOut(int index, WorkCompletion entry) {
        Cqe cqe = cqes[index];
        return cqe.feed().handOut(cqe.slots()) ? cqe.polled() : null;
    }

    @Override
    public Cqe at(int index) {
        return cqes[index];
    }
}
