// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.tag.TagHandle;
import org.jspecify.annotations.Nullable;

/** A receive from its posting to its message. All fields but the stage are guarded by the machine's lock. */
final class PendingReceive {
    enum State {
        /** Not in the adapter's list. */
        UNLISTED,
        LISTED,
        /** The program has found a message for it, and removes it from the adapter's list. */
        FOUND,
        /** A message has taken it. */
        MATCHED,
        COMPLETED
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

    /** The program has cancelled it, and the adapter has not yet reported whether it was removed. */
    boolean cancelling;

    /** Message that the program found for it. */
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
