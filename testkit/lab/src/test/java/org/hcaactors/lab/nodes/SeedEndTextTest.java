// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.seeds.OwnFault;
import org.hcaactors.lab.seeds.SeedEnd;
import org.hcaactors.lab.seeds.SeedTally;
import org.junit.jupiter.api.Test;

class SeedEndTextTest {
    @Test
    void anEndIsTheSameAfterItsWay() {
        SeedEnd end = new SeedEnd(
                SeedTally.End.BUSY,
                41_306L,
                Map.of(FaultKind.DROP, 500L, FaultKind.UNPLUG, 12L),
                2,
                List.of(
                        new OwnFault(FaultKind.DROP, List.of("from \"a\"", "an ACK"), 1, Optional.empty()),
                        new OwnFault(FaultKind.UNPLUG, List.of("b"), 2, Optional.of("unplug b,\nat 3 us"))));
        assertThat(SeedEndText.parse(SeedEndText.of(end))).isEqualTo(end);
        assertThat(SeedEndText.of(end)).hasLineCount(1);
    }
}
