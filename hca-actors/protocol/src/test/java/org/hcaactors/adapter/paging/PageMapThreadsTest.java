// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pager maps and unmaps pages while queue pairs read the map, each on a thread of its own. */
@Tag("judge")
public class PageMapThreadsTest {
    private final PageMap pages = new PageMap();

    @Operation
    public long map(@Param(gen = IntGen.class) int page) {
        return pages.map(page, 1, true);
    }

    @Operation
    public long clear(@Param(gen = IntGen.class) int page) {
        return pages.clear(page, 1);
    }

    @Operation
    public boolean mayBeRead(@Param(gen = IntGen.class) int page) {
        return pages.firstAbsent(page, 1, false) < 0;
    }

    @Operation
    public boolean mayBeWritten(@Param(gen = IntGen.class) int page) {
        return pages.firstAbsent(page, 1, true) < 0;
    }

    // rule paging-invalidates
    /** Its chunk is freed with it, and another one replaces it. */
    @Test
    void aClearedPageIsAbsentAndARemappedOnePresent() {
        Interleavings each = Interleavings.of(PageMapThreadsTest.class)
                .before("map 0")
                .thread("clear 0", "map 0")
                .thread("mayBeWritten 0", "mayBeWritten 0")
                .after("mayBeWritten 0", "mayBeRead 0");
        each.inAnyOrder();
        each.atOnce();
    }

    // rule paging-invalidates
    @Test
    void clearingAPageKeepsItsNeighbour() {
        Interleavings.of(PageMapThreadsTest.class)
                .before("map 0", "map 1")
                .thread("clear 0")
                .thread("mayBeRead 1", "mayBeRead 0")
                .after("mayBeRead 0", "mayBeRead 1")
                .inAnyOrder();
    }

    // rule paging-implicit
    /** 600 lies in another 2 MiB, and 300000 in another 1 GiB, whose table is created, and freed with its last page. */
    @Test
    void changesInOtherTablesDoNotHideAPage() {
        Interleavings.of(PageMapThreadsTest.class)
                .before("map 0")
                .thread("map 600", "map 300000", "clear 300000")
                .thread("mayBeRead 0", "mayBeRead 300000", "mayBeRead 600")
                .after("mayBeRead 0", "mayBeRead 600", "mayBeRead 300000")
                .inAnyOrder();
    }
}
