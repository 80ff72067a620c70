// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;

/** Memory of a region, and what keeps it in place. */
public interface RegionBacking {
    KeyKind kind();

    /** First address under the key. */
    long address();

    long lengthBytes();

    /** Offset from an address under the key to the address in the process. */
    default long shift() {
        return 0;
    }

    /** Returns the kind of addresses under the key, if they are not those of the process. */
    Optional<InlineCopyFailed.Addresses> addresses();

    /** First address in the process; VerbsException (EINVAL) if it is memory of no process. */
    default long processAddress() {
        memory();
        return address() + shift();
    }

    // rule pages-entries
    /** Returns the pages of its translation. */
    default PageLayout translation() {
        return PageLayout.NONE;
    }

    /** True if pages were allocated for it, since its memory was allocated at registration. */
    default boolean isAllocated() {
        return false;
    }

    /** Returns the memory; VerbsException (EINVAL) if it is memory of no process. */
    HostMemory memory();

    /** VerbsException (EACCES, EINVAL) for rights that a region of it can't have. */
    void check(AccessFlags rights);

    /** Returns why a region of it can't be reregistered; empty if it can. */
    Optional<String> lasting();

    /** Returns the key of a region of that protection domain with this memory. */
    TranslatedKey translatedKey(int key, int domain, AccessFlags rights);

    /** An existing region is about to map it: from then on it is in use. */
    default void aboutToMap(int key) {}

    /**
     * Sets the region, now that it is created.
     *
     * @param give makes the region give up the memory at once, when its owner revokes it
     */
    default void heldBy(MemoryRegion region, Supplier<CompletionStage<Void>> give) {}

    /** Releases the memory, since no key maps it any more; a repeated call does nothing. */
    default void release() {}

    /** Releases the memory, since its key maps something else from now on. */
    default void replace() {
        release();
    }

    /** Completes when no operation of the program on this memory is under way; awaited before its key is deregistered. */
    default CompletionStage<Void> drained() {
        return CompletableFuture.completedStage(null);
    }
}
