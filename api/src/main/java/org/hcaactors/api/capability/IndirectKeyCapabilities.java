// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of indirect keys. {@link org.hcaactors.api.work.FillKey} fills them, {@link org.hcaactors.api.work.LocalInvalidate}
 * empties them.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class IndirectKeyCapabilities {
    /** No indirect key can be created. */
    public static final IndirectKeyCapabilities NONE = new IndirectKeyCapabilities(0, 0, 0, 0, 0, 0);

    private final int maxEntries;
    private final int maxInlineEntries;
    private final int maxDepth;
    private final int maxStrideDimensions;
    private final int maxStrideBytes;
    private final int maxKeys;

    private IndirectKeyCapabilities(
            int maxEntries,
            int maxInlineEntries,
            int maxDepth,
            int maxStrideDimensions,
            int maxStrideBytes,
            int maxKeys) {
        this.maxEntries = maxEntries;
        this.maxInlineEntries = maxInlineEntries;
        this.maxDepth = maxDepth;
        this.maxStrideDimensions = maxStrideDimensions;
        this.maxStrideBytes = maxStrideBytes;
        this.maxKeys = maxKeys;
    }

    /** Maximum number of entries of a key ({@code max_klm_list_size}). */
    public int maxEntries() {
        return maxEntries;
    }

    /** Maximum number of entries inline in a work request ({@code max_send_wqe_inline_klms}). */
    public int maxInlineEntries() {
        return maxInlineEntries;
    }

    /** Maximum nesting depth of indirect keys ({@code max_umr_recursion_depth}). */
    public int maxDepth() {
        return maxDepth;
    }

    /** Maximum number of nested strides ({@code max_umr_stride_dimension}); 0: plain lists only. */
    public int maxStrideDimensions() {
        return maxStrideDimensions;
    }

    /** Maximum length and stride of a strided slice, in bytes. */
    public int maxStrideBytes() {
        return maxStrideBytes;
    }

    /**
     * Maximum number of indirect keys; creating one more is ENOMEM. They also use memory keys, of which there are fewer than
     * 2^24.
     */
    public int maxKeys() {
        return maxKeys;
    }

    /** True if indirect keys can be created. */
    public boolean isSupported() {
        return maxEntries > 0;
    }

    public IndirectKeyCapabilities withMaxEntries(int max) {
        return new IndirectKeyCapabilities(
                max, maxInlineEntries, maxDepth, maxStrideDimensions, maxStrideBytes, maxKeys);
    }

    public IndirectKeyCapabilities withMaxInlineEntries(int max) {
        return new IndirectKeyCapabilities(maxEntries, max, maxDepth, maxStrideDimensions, maxStrideBytes, maxKeys);
    }

    public IndirectKeyCapabilities withMaxDepth(int max) {
        return new IndirectKeyCapabilities(
                maxEntries, maxInlineEntries, max, maxStrideDimensions, maxStrideBytes, maxKeys);
    }

    public IndirectKeyCapabilities withMaxStrideDimensions(int max) {
        return new IndirectKeyCapabilities(maxEntries, maxInlineEntries, maxDepth, max, maxStrideBytes, maxKeys);
    }

    public IndirectKeyCapabilities withMaxStrideBytes(int max) {
        return new IndirectKeyCapabilities(maxEntries, maxInlineEntries, maxDepth, maxStrideDimensions, max, maxKeys);
    }

    /** 0 or more; a value above the number of memory keys is no limit. */
    public IndirectKeyCapabilities withMaxKeys(int max) {
        return new IndirectKeyCapabilities(
                maxEntries, maxInlineEntries, maxDepth, maxStrideDimensions, maxStrideBytes, max);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IndirectKeyCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "IndirectKeyCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(maxEntries, maxInlineEntries, maxDepth, maxStrideDimensions, maxStrideBytes, maxKeys);
    }
}
