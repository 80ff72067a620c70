// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PageLayoutTest {
    @Test
    void pagesAreNamedByTheirSize() {
        assertThat(new PageLayout(PageType.CONTIG, 20, 1, OptionalInt.of(0)))
                .hasToString("1 CONTIG page of 1 MiB on node 0");
        assertThat(new PageLayout(PageType.ANON, 12, 16, OptionalInt.empty())).hasToString("16 ANON pages of 4 KiB");
        assertThat(new PageLayout(PageType.ANON, 30, 2, OptionalInt.empty())).hasToString("2 ANON pages of 1 GiB");
    }
}
