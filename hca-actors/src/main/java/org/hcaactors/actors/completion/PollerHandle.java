// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.Objects;
import java.util.function.Consumer;
import org.hcaactors.adapter.completion.CqChecks;
import org.hcaactors.adapter.completion.Cqe;
import org.hcaactors.adapter.completion.GrantCursor;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.jspecify.annotations.Nullable;

/** Poller of one thread. Entries that its handler did not receive, because it threw, wait for the next call. */
final class PollerHandle implements CompletionPoller {
    /** Maximum number of entries taken from the queue at a time. */
    private static final int MAX_TAKEN = 64;

    private final CompletionQueueHandle queue;
    private final @Nullable Cqe[] taken = new Cqe[MAX_TAKEN];
    private final GrantCursor cursor = new GrantCursor();
    private int next;
    private int end;
    private boolean polling;
    /** The last call passed no entry. */
    private boolean foundNothing;

    PollerHandle(CompletionQueueHandle queue) {
        this.queue = queue;
    }

    @Override
    public int poll(int max, Consumer<? super CompletionCursor> handler) {
        Objects.requireNonNull(handler, "handler");
        CqChecks.checkMax(max);
        if (polling) {
            throw new IllegalStateException(
                    "poll() was called in a handler of the same poller; create another poller there");
        }
        polling = true;
        try {
            if (next == end) {
                queue.checkPoll();
            }
            int handled = 0;
            while (handled < max && (next < end || take(max - handled, handled == 0))) {
                handled += handle(handler) ? 1 : 0;
            }
            foundNothing = handled == 0;
            return handled;
        } finally {
            cursor.leave();
            polling = false;
        }
    }

    /** Takes entries, at most that many; false if there is none. */
    private boolean take(int max, boolean progress) {
        next = 0;
        end = 0;
        end = queue.take(taken, Math.min(max, MAX_TAKEN));
        if (end == 0 && progress) {
            queue.progress(foundNothing);
            end = queue.take(taken, Math.min(max, MAX_TAKEN));
        }
        return end > 0;
    }

    /** Passes an entry to the handler; false if its queue pair was reset or destroyed since it was taken. */
    private boolean handle(Consumer<? super CompletionCursor> handler) {
        Cqe entry = Objects.requireNonNull(taken[next]);
        taken[next] = null;
        next++;
        if (entry.workQueue().isWithdrawn()) {
            return false;
        }
        cursor.moveTo(entry, end - next);
        queue.received(cursor.completion());
        handler.accept(cursor);
        return true;
    }

    @Override
    public String toString() {
        return "poller of " + queue;
    }
}
