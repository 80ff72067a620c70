// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What indirect keys can be. They are filled by {@link org.hcaactors.api.work.FillKey} and emptied by {@link org.hcaactors.api.work.LocalInvalidate}.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class IndirectKeyCapabilities {
    /** No indirect key can be made. */
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

    /** Entries of what a key shows ({@code max_klm_list_size}). */
    public int maxEntries() {
        return maxEntries;
    }

    /** Entries that a work request can carry itself ({@code max_send_wqe_inline_klms}). */
    public int maxInlineEntries() {
        return maxInlineEntries;
    }

    /** How many indirect keys may stand behind each other ({@code max_umr_recursion_depth}). */
    public int maxDepth() {
        return maxDepth;
    }

    /** Strides inside of strides ({@code max_umr_stride_dimension}); 0: plain lists only. */
    public int maxStrideDimensions() {
        return maxStrideDimensions;
    }

    /** Length and stride of a strided slice. */
    public int maxStrideBytes() {
        return maxStrideBytes;
    }

    /** Indirect keys at a time: one more is ENOMEM. They take keys, of which there are fewer than 2^24. */
    public int maxKeys() {
        return maxKeys;
    }

    /** Indirect keys can be made. */
    public boolean supported() {
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

    /** 0 and more; more than there are keys is no limit. */
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
