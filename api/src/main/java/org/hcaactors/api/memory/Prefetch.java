// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;
import java.util.Objects;

/**
 * Advice that pages of regions on demand will be used ({@code ibv_advise_mr}). Immutable: each call gives a new one. Nothing is
 * looked at before a protection domain is told.
 *
 * @param purpose what for
 * @param isFlushed it is done when the pages are there, and tells what failed; else once it is accepted, and what fails then
 *     is lost
 * @param slices of regions, by their local keys
 */
public record Prefetch(Purpose purpose, boolean isFlushed, List<LocalSlice> slices) {
    /** What pages are brought for. More may follow: a switch over them wants a default. */
    public enum Purpose {
        /** To be read, also where the region may be written ({@code IBV_ADVISE_MR_ADVICE_PREFETCH}). */
        READ,

        /** To be written ({@code PREFETCH_WRITE}). */
        WRITE,

        /** Only what the host holds is mapped, to be read; none is brought ({@code PREFETCH_NO_FAULT}). */
        RESIDENT
    }

    public Prefetch {
        Objects.requireNonNull(purpose, "a prefetch for nothing");
        slices = List.copyOf(slices);
    }

    public static Prefetch of(Purpose purpose, LocalSlice... slices) {
        return new Prefetch(purpose, false, List.of(slices));
    }

    /** Done when the pages are there ({@code IBV_ADVISE_MR_FLAG_FLUSH}). */
    public Prefetch flushed() {
        return new Prefetch(purpose, true, slices);
    }
}
