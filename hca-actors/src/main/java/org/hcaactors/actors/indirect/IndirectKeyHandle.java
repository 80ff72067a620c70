// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.indirect;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.adapter.stage.CloseOnce;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.IndirectKey;

/**
 * Handle of an indirect key. Once the key is destroyed, its number may be reused for another key; a closed handle no longer
 * reaches the adapter.
 */
final class IndirectKeyHandle implements IndirectKey {
    /** The text is built only for the resource audit. */
    private record Closing(IndirectKeyHandle key) {
        @Override
        public String toString() {
            return "close of " + key;
        }
    }

    private final int key;
    private final int maxEntries;
    private final KeyOwner context;
    private final CloseOnce closeOnce = new CloseOnce();

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
        return context.verbs()
                .begin(Verb.DESTROY_MKEY, this, closeOnce.isClosing(), () -> closeOnce.close(this::deregister));
    }

    private CompletionStage<Void> deregister(Future<?> end) {
        context.commandSender().pending(new Closing(this), end);
        return context.deregister(this, key);
    }

    @Override
    public void close() {
        context.commandSender().await(closeAsync());
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
