// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** A region's pin on host memory, which can't be unmapped meanwhile. Any thread. */
public final class Pin {
    private final MappedMemory memory;
    private final Runnable unlock;
    private @Nullable Handle region;
    private @Nullable Supplier<CompletionStage<Void>> lose;
    private @Nullable CompletableFuture<Void> losing;

    /** @param unlock called once, when the region is gone */
    Pin(MappedMemory memory, Runnable unlock) {
        this.memory = memory;
        this.unlock = unlock;
    }

    /**
     * Sets the region, now that it is created.
     *
     * @param give makes the region give up the memory at once, when its owner revokes it
     */
    public void heldBy(Handle made, Supplier<CompletionStage<Void>> give) {
        CompletableFuture<Void> awaited;
        synchronized (this) {
            region = made;
            lose = give;
            awaited = losing;
        }
        if (awaited != null) {
            end(give, awaited);
        }
    }

    // rule memory-peer
    /**
     * Revokes the memory; completes when the region no longer uses it. A region under construction gives it up once it is
     * created.
     */
    CompletionStage<Void> lost() {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        Supplier<CompletionStage<Void>> onLoss;
        synchronized (this) {
            onLoss = lose;
            losing = awaited;
        }
        if (onLoss != null) {
            end(onLoss, awaited);
        }
        return awaited;
    }

    private static void end(Supplier<CompletionStage<Void>> give, CompletableFuture<Void> awaited) {
        give.get().whenComplete((given, refused) -> awaited.complete(null));
    }

    /** Releases the pin, since the region is gone; a repeated call does nothing. */
    @MutationPoint("pin.release")
    public void release() {
        if (memory.released(this)) {
            unlock.run();
        }
        synchronized (this) {
            if (losing != null) {
                losing.complete(null);
            }
        }
    }

    @Override
    public synchronized String toString() {
        Handle made = region;
        return made == null ? "a region that is being registered" : made.describe();
    }
}
