// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.OptionalInt;

/**
 * Pages of a buffer as the adapter sees them: its translation has one entry for each page, so larger pages need fewer entries.
 * Immutable.
 *
 * @param type type of the pages
 * @param order log2 of the page size in bytes; a contiguous block counts as one page
 * @param entries number of translation entries; 0 without a translation
 * @param node NUMA node of all pages; empty if they are on several
 */
public record PageLayout(PageType type, int order, long entries, OptionalInt node) {
    /** log2 of the minimum page size in bytes. */
    public static final int MIN_ORDER = 12;

    /** No translation. */
    public static final PageLayout NONE = new PageLayout(PageType.ANON, MIN_ORDER, 0, OptionalInt.empty());

    /** Page size in bytes. */
    public long pageBytes() {
        return 1L << order;
    }

    /** Total size in bytes. */
    public long bytes() {
        return entries << order;
    }

    @Override
    public String toString() {
        return "%d %s %s of %s%s"
                .formatted(
                        entries,
                        type,
                        entries == 1 ? "page" : "pages",
                        size(),
                        node.isPresent() ? " on node " + node.getAsInt() : "");
    }

    private String size() {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        return (1L << order % 10) + " " + units[order / 10];
    }
}
