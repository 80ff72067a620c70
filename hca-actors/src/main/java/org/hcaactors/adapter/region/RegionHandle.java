// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.key.DomainKey;
import org.hcaactors.adapter.key.KeyOwner;
import org.hcaactors.adapter.stage.Outcome;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** A registered region. Once it goes, its key may become another's: whoever comes later is not let through to it. */
final class RegionHandle implements MemoryRegion, DomainKey {
    /** Put into words only for who keeps books. */
    private record Deregistration(RegionHandle region) {
        @Override
        public String toString() {
            return "deregistration of " + region;
        }
    }

    private final int key;
    private final RegionBlueprint blueprint;
    private final KeyOwner context;
    private @Nullable CompletableFuture<Void> going;

    RegionHandle(int key, RegionBlueprint blueprint, KeyOwner context) {
        this.key = key;
        this.blueprint = blueprint;
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
    public int domain() {
        return blueprint.domain();
    }

    @Override
    public boolean isZeroBased() {
        return blueprint.address() == 0;
    }

    @Override
    public long address() {
        return blueprint.address();
    }

    @Override
    public long lengthBytes() {
        return blueprint.lengthBytes();
    }

    @Override
    public AccessFlags access() {
        return blueprint.rights();
    }

    @Override
    public HostMemory memory() {
        return blueprint.memory();
    }

    @Override
    public CompletionStage<Void> deregister() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        return firstOf(end) == end
                ? go(end)
                : CompletableFuture.failedStage(VerbsException.invalid(describe() + ", is closed"));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> first = firstOf(end);
        return first == end ? go(end) : first.minimalCompletionStage();
    }

    private synchronized CompletableFuture<Void> firstOf(CompletableFuture<Void> end) {
        if (going == null) {
            going = end;
        }
        return going;
    }

    /** Outside the monitor: what waits for the end may run in here, and closes others. */
    private CompletionStage<Void> go(CompletableFuture<Void> end) {
        context.door().promised(new Deregistration(this), end);
        CompletionStage<Void> gone = context.deregister(this, key)
                .thenRun(blueprint.pin()::release)
                .whenComplete((done, refused) -> {
                    if (refused != null) {
                        stay();
                    }
                });
        Outcome.of(gone, end);
        return end.minimalCompletionStage();
    }

    private synchronized void stay() {
        going = null;
    }

    @Override
    public void close() {
        context.door().await(closeAsync());
    }

    @Override
    public String describe() {
        return "memory region 0x%08x, %d bytes".formatted(key, lengthBytes());
    }

    @Override
    public String toString() {
        return describe();
    }
}
