// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.indirect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.KeyListMemory;

/**
 * Handle of the memory for the entries of an indirect key. Freeing it need not wait: a request copies its entries when it is
 * posted.
 */
public final class KeyListMemoryHandle implements KeyListMemory {
    private final int maxEntries;
    private final Consumer<KeyListMemoryHandle> whenClosed;

    private KeyListMemoryHandle(int maxEntries, Consumer<KeyListMemoryHandle> whenClosed) {
        this.maxEntries = maxEntries;
        this.whenClosed = whenClosed;
    }

    // rule indirect-limits
    /**
     * @param whenClosed called when it is freed
     * @throws org.hcaactors.api.error.VerbsException EOPNOTSUPP if the profile has no indirect keys, EINVAL if the number of
     *     entries is 0 or too large
     */
    public static KeyListMemoryHandle of(int entries, Profile profile, Consumer<KeyListMemoryHandle> whenClosed) {
        return new KeyListMemoryHandle(IndirectKeyBlueprint.entries(entries, profile), whenClosed);
    }

    @Override
    public int maxEntries() {
        return maxEntries;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        close();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void close() {
        whenClosed.accept(this);
    }

    @Override
    public String describe() {
        return "list memory of " + maxEntries + " entries";
    }

    @Override
    public String toString() {
        return describe();
    }
}
