// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

class AdapterChangesTest {
    private static final PortAddress ONE = new PortAddress(1, 1);
    private static final PortAddress TWO = new PortAddress(1, 2);

    private final AdapterChanges changes = new AdapterChanges();

    @Test
    void whatCameAndWentSinceTheLastLookIsTold() {
        assertThat(changes.to(new TreeMap<>(Map.of("a", ONE)))).containsExactly(new NodeEvent.AdapterFound("a", ONE));
        assertThat(changes.to(new TreeMap<>(Map.of("a", ONE)))).isEmpty();
        assertThat(changes.to(new TreeMap<>(Map.of("a", TWO, "b", ONE))))
                .containsExactly(new NodeEvent.AdapterFound("a", TWO), new NodeEvent.AdapterFound("b", ONE));
        assertThat(changes.to(new TreeMap<>(Map.of("a", TWO)))).containsExactly(new NodeEvent.AdapterGone("b"));
    }
}
