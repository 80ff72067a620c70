// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.adapter.paging.PagingCommand.Piece;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.jspecify.annotations.Nullable;

// rule paging-advise
/**
 * Checks a prefetch and passes it to the pager (ibv_advise_mr).
 *
 * @param domain number of the protection domain of the call
 * @param keys open objects of the context that have a key
 */
public record PrefetchAdvice(int domain, List<Handle> keys, RegionOwner owner) {
    public CompletionStage<Void> advise(Prefetch requested) {
        try {
            List<Piece> pieces = pieces(requested);
            // rule paging-capi
            if (OnDemand.isByHost(owner) && !requested.flush()) {
                return CompletableFuture.completedStage(null);
            }
            return owner.pager()
                    .ask(reply -> new PagingCommand.Prefetch(
                            pieces,
                            requested.purpose() == Purpose.WRITE,
                            requested.purpose() == Purpose.RESIDENT,
                            requested.flush(),
                            reply));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private List<Piece> pieces(Prefetch requested) {
        owner.services().health().refusal().ifPresent(refusal -> {
            throw refusal;
        });
        if (!owner.profile().paging().has(PagingCapabilities.Feature.EXPLICIT)) {
            throw new VerbsException(Errno.EOPNOTSUPP, owner.profile().name() + " does not support on-demand regions");
        }
        Map<Integer, Handle> byKey = byKey();
        List<Piece> pieces = new ArrayList<>();
        for (LocalSlice slice : requested.slices()) {
            region(slice.lkey(), byKey.get(slice.lkey()), requested.purpose())
                    .piece(slice.address(), slice.lengthBytes(), requested.flush())
                    .ifPresent(pieces::add);
        }
        return pieces;
    }

    /** Returns the objects by key; keys are unique. */
    private Map<Integer, Handle> byKey() {
        Map<Integer, Handle> byKey = new LinkedHashMap<>();
        for (Handle each : keys) {
            switch (each) {
                case RegionHandle region when region.hasKey() -> byKey.put(region.lkey(), region);
                case MemoryWindow window -> byKey.put(window.rkey(), window);
                case IndirectKey indirect -> byKey.put(indirect.lkey(), indirect);
                default -> {}
            }
        }
        return byKey;
    }

    private RegionHandle region(int key, @Nullable Handle handle, Purpose purpose) {
        if (handle == null) {
            throw new VerbsException(
                    Errno.EFAULT, "key 0x%08x does not belong to a region of this context".formatted(key));
        }
        if (handle instanceof RegionHandle region) {
            region.checkPrefetch(domain, purpose);
            return region;
        }
        throw VerbsException.invalid(handle.describe() + " can't be prefetched; only pages of regions can");
    }
}
