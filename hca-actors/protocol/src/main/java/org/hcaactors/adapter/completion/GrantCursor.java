// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A view of one entry of a grant. One object serves all entries of a reader, one after the other. */
public final class GrantCursor implements CompletionCursor {
    private @Nullable WorkCompletion entry;
    private int remaining;

    /** Moves to an entry; returns false if it was withdrawn since it was granted. */
    public boolean moveTo(CompletionGrant grant, int index) {
        entry = grant.take(index);
        remaining = grant.size() - index - 1;
        return entry != null;
    }

    /** Moves to a polled entry, which is copied from its queue. */
    public void moveTo(Cqe polled, int following) {
        entry = polled.polled();
        remaining = following;
    }

    public void leave() {
        entry = null;
    }

    @Override
    public WorkCompletion completion() {
        WorkCompletion now = entry;
        if (now == null) {
            throw new IllegalStateException(
                    "the cursor has no completion; completion() is valid only while the completion handler runs");
        }
        return now;
    }

    @Override
    public long workId() {
        return completion().workId();
    }

    @Override
    public Status status() {
        return completion().status();
    }

    @Override
    public CompletionKind kind() {
        return completion().kind();
    }

    @Override
    public int qpNumber() {
        return completion().qpNumber();
    }

    @Override
    public long lengthBytes() {
        return completion().lengthBytes();
    }

    @Override
    public int remaining() {
        return remaining;
    }
}
