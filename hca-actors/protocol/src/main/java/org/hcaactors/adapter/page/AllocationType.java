// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.api.memory.PageType;

// rule pages-fallback
/** Values of {@code *_ALLOC_TYPE}, each with the page types that are tried in order. */
enum AllocationType {
    ANON(PageType.ANON),
    HUGE(PageType.HUGE),
    CONTIG(PageType.CONTIG),
    PREFER_CONTIG(PageType.CONTIG, PageType.ANON),
    PREFER_HUGE(PageType.HUGE, PageType.ANON),
    ALL(PageType.HUGE, PageType.CONTIG, PageType.ANON);

    /** Names of all values, as text. */
    static final String ALLOWED = Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));

    private final List<PageType> pageTypesToTry;

    AllocationType(PageType... pageTypesToTry) {
        this.pageTypesToTry = List.of(pageTypesToTry);
    }

    // rule pages-variables
    static Optional<AllocationType> of(String value) {
        return Arrays.stream(values())
                .filter(type -> type.name().equalsIgnoreCase(value))
                .findFirst();
    }

    List<PageType> pageTypesToTry() {
        return pageTypesToTry;
    }

    // rule pages-mr
    /** Returns the page types for a region, which never gets huge pages this way. */
    List<PageType> pageTypesForRegion() {
        return switch (this) {
            case ANON, CONTIG -> pageTypesToTry;
            case HUGE, PREFER_CONTIG, PREFER_HUGE, ALL -> PREFER_CONTIG.pageTypesToTry;
        };
    }
}
