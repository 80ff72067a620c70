// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;
import java.util.Objects;

/**
 * Advice to prefetch pages of on-demand regions ({@code ibv_advise_mr}). Immutable: each method returns a new one. It is
 * checked when a protection domain executes it.
 *
 * @param purpose purpose of the fetch
 * @param flush true: completes when the pages are present, and reports errors; false: completes when accepted, and later
 *     errors are not reported
 * @param slices ranges of regions, by their local keys
 */
public record Prefetch(Purpose purpose, boolean flush, List<LocalSlice> slices) {
    /** Purpose of a prefetch. More may follow: a switch over them wants a default. */
    public enum Purpose {
        /** For reading, also if the region may be written ({@code IBV_ADVISE_MR_ADVICE_PREFETCH}). */
        READ,

        /** For writing ({@code PREFETCH_WRITE}). */
        WRITE,

        /** Maps only pages present in the host, for reading; fetches none ({@code PREFETCH_NO_FAULT}). */
        RESIDENT
    }

    public Prefetch {
        Objects.requireNonNull(purpose, "the purpose of the prefetch is null");
        slices = List.copyOf(slices);
    }

    public static Prefetch of(Purpose purpose, LocalSlice... slices) {
        return new Prefetch(purpose, false, List.of(slices));
    }

    /** Completes when the pages are present ({@code IBV_ADVISE_MR_FLAG_FLUSH}). */
    public Prefetch withFlush() {
        return new Prefetch(purpose, true, slices);
    }
}
