// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QpTableTest {
    private final QpTable<String> table = new QpTable<>();

    @Test
    void aNumberFindsItsEntry() {
        table.put(2, "least");
        table.put(0xFF_FFFF, "most");
        assertThat(table.get(2)).isEqualTo("least");
        assertThat(table.get(0xFF_FFFF)).isEqualTo("most");
        assertThat(table.get(3)).as("beside one that is there").isNull();
        assertThat(table.get(0x1000)).as("far from all that are there").isNull();
    }

    @Test
    void aReplacedEntryCountsOnce() {
        table.put(7, "first");
        table.put(7, "second");
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.get(7)).isEqualTo("second");
    }

    @Test
    void aRemovedEntryIsGoneAndItsNeighboursRemain() {
        table.put(63, "before");
        table.put(64, "behind");
        table.remove(63);
        table.remove(63);
        table.remove(62);
        assertThat(table.get(63)).isNull();
        assertThat(table.get(64)).isEqualTo("behind");
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void anEmptiedPageTakesEntriesAgain() {
        table.put(100, "once");
        table.remove(100);
        assertThat(table.numbers()).isEmpty();
        table.put(100, "again");
        assertThat(table.get(100)).isEqualTo("again");
    }

    @Test
    void numbersOfAPageAreInAscendingOrder() {
        table.put(1000, "another page");
        table.put(9, "later");
        table.put(8, "earlier");
        assertThat(table.numbers()).containsExactly(1000, 8, 9);
    }
}
