// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.api.memory.PageType;

// rule pages-fallback
/** What {@code *_ALLOC_TYPE} may be, and what is tried then, one after the other. */
enum AllocationType {
    ANON(PageType.ANON),
    HUGE(PageType.HUGE),
    CONTIG(PageType.CONTIG),
    PREFER_CONTIG(PageType.CONTIG, PageType.ANON),
    PREFER_HUGE(PageType.HUGE, PageType.ANON),
    ALL(PageType.HUGE, PageType.CONTIG, PageType.ANON);

    /** All of them, in words. */
    static final String ALLOWED = Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));

    private final List<PageType> tries;

    AllocationType(PageType... tries) {
        this.tries = List.of(tries);
    }

    // rule pages-variables
    static Optional<AllocationType> of(String value) {
        return Arrays.stream(values())
                .filter(type -> type.name().equalsIgnoreCase(value))
                .findFirst();
    }

    List<PageType> tries() {
        return tries;
    }

    // rule pages-mr
    /** No huge pages. */
    List<PageType> triesForRegion() {
        return switch (this) {
            case ANON, CONTIG -> tries;
            case HUGE, PREFER_CONTIG, PREFER_HUGE, ALL -> PREFER_CONTIG.tries;
        };
    }
}
