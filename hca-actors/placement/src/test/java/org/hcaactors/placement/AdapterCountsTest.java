// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.junit.jupiter.api.Test;

// rule placement-node
class AdapterCountsTest {
    private static final Address LEFT = Address.apply("pekko", "hca", "127.0.0.1", 1);
    private static final Address RIGHT = Address.apply("pekko", "hca", "127.0.0.1", 2);
    private static final Map<Address, List<String>> SHARDS = Map.of(LEFT, List.of("a", "b"), RIGHT, List.of("c"));

    private final AdapterCounts counts = new AdapterCounts();

    @Test
    void adaptersThatWereDrainedDoNotCount() {
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "d", 0)).isEqualTo(Map.of(LEFT, 2, RIGHT, 1));
        assertThat(counts.at(SHARDS, Set.of("c"), "d", 0)).isEqualTo(Map.of(LEFT, 0, RIGHT, 1));
    }

    @Test
    void aChoiceCountsBeforeItIsSeen() {
        counts.chosen("d", RIGHT, 0);
        counts.chosen("e", RIGHT, 0);
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "f", 1)).isEqualTo(Map.of(LEFT, 2, RIGHT, 3));
    }

    @Test
    void aChoiceThatIsSeenCountsOnce() {
        counts.chosen("c", RIGHT, 0);
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "d", 1)).isEqualTo(Map.of(LEFT, 2, RIGHT, 1));
    }

    @Test
    void theLaterChoiceOfAnAdapterCounts() {
        counts.chosen("a", RIGHT, 0);
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "d", 1)).isEqualTo(Map.of(LEFT, 1, RIGHT, 2));
    }

    @Test
    void anOldChoiceCountsNoMore() {
        counts.chosen("d", RIGHT, 0);
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "e", AdapterCounts.CHOICE_NANOS + 1))
                .isEqualTo(Map.of(LEFT, 2, RIGHT, 1));
    }

    @Test
    void anAdapterDoesNotCountForItsOwnChoice() {
        assertThat(counts.at(SHARDS, Set.of("a", "b", "c"), "b", 0)).isEqualTo(Map.of(LEFT, 1, RIGHT, 1));
    }

    @Test
    void aNodeThatIsGoneHasNoCount() {
        counts.chosen("d", Address.apply("pekko", "hca", "127.0.0.1", 3), 0);
        assertThat(counts.at(SHARDS, Set.of(), "e", 1)).isEqualTo(Map.of(LEFT, 0, RIGHT, 0));
    }
}
