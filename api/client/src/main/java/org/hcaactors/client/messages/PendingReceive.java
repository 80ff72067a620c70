// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.tag.TagHandle;
import org.jspecify.annotations.Nullable;

/** A receive, from the call to its message. Under its machine's lock, but for the stage. */
final class PendingReceive {
    enum State {
        /** Known to the program alone. */
        UNLISTED,
        LISTED,
        /** The program has found its message, and takes it out of the list. */
        FOUND,
        /** A message has it. */
        MATCHED,
        OVER
    }

    final long number;
    final long tag;
    final long mask;
    final TagBuffer buffer;
    final CompletableFuture<TagArrival> stage = new CompletableFuture<>();
    final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    State state = State.UNLISTED;

    @Nullable
    TagHandle handle;

    /** The program wants it back, and the adapter has not said whether it can have it. */
    boolean cancelling;

    /** What the program found for it. */
    @Nullable
    UnexpectedMessage found;

    Optional<TagInfo.Info> info = Optional.empty();

    PendingReceive(long number, long tag, long mask, TagBuffer buffer) {
        this.number = number;
        this.tag = tag & mask;
        this.mask = mask;
        this.buffer = buffer;
    }

    boolean matches(long requested) {
        return (requested & mask) == tag;
    }
}
