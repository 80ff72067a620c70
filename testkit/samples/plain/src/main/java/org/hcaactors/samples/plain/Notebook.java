// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.plain;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;

/** Keeps a note in the memory of another machine. */
public final class Notebook {
    private final RcQueuePair to;
    private final RemoteAddress place;

    public Notebook(RcQueuePair to, RemoteAddress place) {
        this.to = to;
        this.place = place;
    }

    /** True if the note is there. */
    public CompletionStage<Boolean> keep(LocalSlice note) {
        return to.submit(RdmaWrite.of(1, note, place))
                .thenApply(WorkCompletion::status)
                .thenApply(Status.SUCCESS::equals);
    }
}
