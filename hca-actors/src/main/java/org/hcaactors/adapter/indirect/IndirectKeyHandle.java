// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.key.KeyOwner;
import org.hcaactors.adapter.stage.Outcome;
import org.hcaactors.api.memory.IndirectKey;
import org.jspecify.annotations.Nullable;

/** An indirect key. Once it goes, its number may become another's: whoever comes later is not let through to it. */
final class IndirectKeyHandle implements IndirectKey {
    /** Put into words only for who keeps books. */
    private record Closing(IndirectKeyHandle key) {
        @Override
        public String toString() {
            return "close of " + key;
        }
    }

    private final int key;
    private final int maxEntries;
    private final KeyOwner context;
    private @Nullable CompletableFuture<Void> going;

    IndirectKeyHandle(int key, int maxEntries, KeyOwner context) {
        this.key = key;
        this.maxEntries = maxEntries;
        this.context = context;
    }

    @Override
    public int lkey() {
        return key;
    }

    // rule memory-one-key
    @Override
    public int rkey() {
        return key;
    }

    @Override
    public int maxEntries() {
        return maxEntries;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> first = firstOf(end);
        if (first == end) {
            context.door().promised(new Closing(this), end);
            Outcome.of(context.deregister(this, key).whenComplete(this::stayIfRefused), end);
        }
        return first.minimalCompletionStage();
    }

    private synchronized CompletableFuture<Void> firstOf(CompletableFuture<Void> end) {
        if (going == null) {
            going = end;
        }
        return going;
    }

    private synchronized void stayIfRefused(@Nullable Void gone, @Nullable Throwable refused) {
        if (refused != null) {
            going = null;
        }
    }

    @Override
    public void close() {
        context.door().await(closeAsync());
    }

    @Override
    public String describe() {
        return "indirect key 0x%08x, %d entries".formatted(key, maxEntries);
    }

    @Override
    public String toString() {
        return describe();
    }
}
