// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.indirect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.KeyListMemory;

/** Room for what an indirect key is filled with. Nothing waits for it: a request has its entries from posting on. */
public final class KeyListMemoryHandle implements KeyListMemory {
    private final int maxEntries;
    private final Consumer<KeyListMemoryHandle> whenClosed;

    private KeyListMemoryHandle(int maxEntries, Consumer<KeyListMemoryHandle> whenClosed) {
        this.maxEntries = maxEntries;
        this.whenClosed = whenClosed;
    }

    // rule indirect-limits
    /**
     * VerbsException: EOPNOTSUPP where the profile has no indirect keys, EINVAL for more entries than it allows, or none.
     *
     * @param whenClosed told when it is freed
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
