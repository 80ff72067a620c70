// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.Arrays;
import org.hcaactors.api.completion.WorkCompletion;

/** A grant of entries that stood in the ring. */
record Polled(Cqe[] cqes, WorkCompletion[] entries) implements Grant {
    Polled(Cqe[] cqes) {
        this(cqes, Arrays.stream(cqes).map(Cqe::entry).toArray(WorkCompletion[]::new));
    }

    @Override
    public boolean handOut(int index) {
        return cqes[index].feed().handOut(cqes[index].slots());
    }

    @Override
    public Cqe at(int index) {
        return cqes[index];
    }
}
