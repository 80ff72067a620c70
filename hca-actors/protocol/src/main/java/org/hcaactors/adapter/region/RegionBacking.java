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

/** What a region shows, and holds on to meanwhile. */
public interface RegionBacking {
    KeyKind kind();

    /** Where the range begins under the key. */
    long address();

    long lengthBytes();

    /** From an address under the key to that of the byte in the process. */
    default long shift() {
        return 0;
    }

    /** What addresses under the key are, where they are not those of the process. */
    Optional<InlineCopyFailed.Addresses> addresses();

    /** Where the range begins in its process; VerbsException (EINVAL) if it is of no process. */
    default long processAddress() {
        memory();
        return address() + shift();
    }

    // rule pages-entries
    /** The pages of its translation. */
    default PageLayout translation() {
        return PageLayout.NONE;
    }

    /** Pages were found for it, as what it shows was made for it. */
    default boolean isAllocated() {
        return false;
    }

    /** VerbsException (EINVAL) if it is of no process. */
    HostMemory memory();

    /** VerbsException (EACCES, EINVAL) for rights that a region of it can't have. */
    void check(AccessFlags rights);

    /** Why a region of it stays what it is; empty where it can be registered anew. */
    Optional<String> lasting();

    /** The key of a region of that domain that shows it. */
    TranslatedKey behind(int key, int domain, AccessFlags rights);

    /** A region that there is is about to show it: from then on it is used. */
    default void isGoingToBe(int key) {}

    /**
     * The region is made, and can be named.
     *
     * @param give has it give up at once what is taken back
     */
    default void heldBy(MemoryRegion region, Supplier<CompletionStage<Void>> give) {}

    /** No key shows it any more; again does nothing. */
    default void release() {}

    /** The same, where the key shows something else from now on. */
    default void replace() {
        release();
    }

    /** Done when nothing is under way that the program asked of what it shows; before its key goes. */
    default CompletionStage<Void> drained() {
        return CompletableFuture.completedStage(null);
    }
}
