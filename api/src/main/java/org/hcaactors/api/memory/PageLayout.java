// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.OptionalInt;

/**
 * The pages that a buffer stands on, as the adapter knows them: its translation has one entry for each, so that larger pages
 * cost it fewer. Immutable.
 *
 * @param type what they are
 * @param order log2 of a page's bytes, a block of contiguous ones counting as one
 * @param entries how many the translation has; 0 where nothing is translated
 * @param node the NUMA node that all of them are on, if they are on one
 */
public record PageLayout(PageType type, int order, long entries, OptionalInt node) {
    /** log2 of the least page's bytes. */
    public static final int MIN_ORDER = 12;

    /** Of what has no translation. */
    public static final PageLayout NONE = new PageLayout(PageType.ANON, MIN_ORDER, 0, OptionalInt.empty());

    /** Bytes of a page. */
    public long pageBytes() {
        return 1L << order;
    }

    /** Bytes of all of them. */
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
