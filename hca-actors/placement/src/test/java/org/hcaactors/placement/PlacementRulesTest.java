// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.hcaactors.api.address.Gid;
import org.junit.jupiter.api.Test;

class PlacementRulesTest {
    private static final Address LEFT = Address.apply("pekko", "hca", "127.0.0.1", 1);
    private static final Address RIGHT = Address.apply("pekko", "hca", "127.0.0.1", 2);
    private static final Address OTHER = Address.apply("pekko", "hca", "127.0.0.1", 3);
    private static final Set<Address> BOTH = Set.of(LEFT, RIGHT);
    private static final PlacementEntry ANYWHERE = wished(Optional.empty());

    private static PlacementEntry wished(Optional<Address> node) {
        return new PlacementEntry(Optional.of(new PlacementEntry.Wish(node)), Optional.empty());
    }

    private static PlacementEntry at(Address node, long uid, Optional<Address> wish) {
        return new PlacementEntry(
                Optional.of(new PlacementEntry.Wish(wish)),
                Optional.of(new PlacementEntry.Place(node, uid, new Gid(1, 2))));
    }

    // rule placement-node
    @Test
    void theNodeWithTheFewestAdaptersTakesOne() {
        assertThat(PlacementRules.nodeFor(ANYWHERE, Map.of(LEFT, 2, RIGHT, 1), BOTH))
                .isEqualTo(RIGHT);
        assertThat(PlacementRules.nodeFor(ANYWHERE, Map.of(LEFT, 1, RIGHT, 1), BOTH))
                .isEqualTo(LEFT);
    }

    // rule placement-node
    @Test
    void theWishGoesBeforeTheNumberOfAdapters() {
        PlacementEntry entry = wished(Optional.of(LEFT));
        assertThat(PlacementRules.nodeFor(entry, Map.of(LEFT, 9, RIGHT, 0), BOTH))
                .isEqualTo(LEFT);
    }

    // rule placement-node
    @Test
    void aWishForANodeThatIsGoneCountsNoMore() {
        PlacementEntry entry = wished(Optional.of(OTHER));
        assertThat(PlacementRules.nodeFor(entry, Map.of(LEFT, 1, RIGHT, 0), BOTH))
                .isEqualTo(RIGHT);
        assertThat(PlacementRules.nodeFor(entry, Map.of(LEFT, 1, OTHER, 0), BOTH))
                .isEqualTo(LEFT);
        assertThat(PlacementRules.mayStart(entry, LEFT, BOTH)).isTrue();
    }

    // rule placement-node
    @Test
    void anUnfitNodeTakesAdaptersIfThereIsNoOther() {
        assertThat(PlacementRules.nodeFor(ANYWHERE, Map.of(OTHER, 1), BOTH)).isEqualTo(OTHER);
    }

    // rule placement-move
    @Test
    void anAdapterThatIsPluggedInIsNotMoved() {
        assertThat(PlacementRules.mayMove(at(LEFT, 7, Optional.of(RIGHT)), LEFT, BOTH))
                .isFalse();
        assertThat(PlacementRules.mayMove(wished(Optional.of(RIGHT)), LEFT, BOTH))
                .isTrue();
    }

    // rule placement-move
    @Test
    void withoutAFitNodeElsewhereNothingMoves() {
        assertThat(PlacementRules.mayMove(wished(Optional.of(LEFT)), LEFT, BOTH))
                .isFalse();
        assertThat(PlacementRules.mayMove(wished(Optional.of(OTHER)), LEFT, BOTH))
                .isFalse();
        assertThat(PlacementRules.mayMove(ANYWHERE, LEFT, BOTH)).isFalse();
        assertThat(PlacementRules.mayMove(PlacementEntry.NONE, LEFT, BOTH)).isFalse();
    }

    // rule placement-move
    @Test
    void anAdapterOnItsWayDoesNotStartHere() {
        assertThat(PlacementRules.mayStart(wished(Optional.of(RIGHT)), LEFT, BOTH))
                .isFalse();
        assertThat(PlacementRules.mayStart(wished(Optional.of(LEFT)), LEFT, BOTH))
                .isTrue();
        assertThat(PlacementRules.mayStart(ANYWHERE, LEFT, BOTH)).isTrue();
        assertThat(PlacementRules.mayStart(PlacementEntry.NONE, LEFT, BOTH)).isFalse();
    }

    // rule placement-again
    @Test
    void adaptersOfANodeThatIsGoneAreNowhere() {
        Map<String, PlacementEntry> entries = Map.of(
                "stays", at(LEFT, 7, Optional.empty()),
                "lost", at(RIGHT, 8, Optional.empty()),
                "asked", ANYWHERE);
        assertThat(PlacementRules.nowhere(entries, Set.of(7L), 9)).containsExactlyInAnyOrder("lost", "asked");
        assertThat(PlacementRules.nowhere(entries, Set.of(7L), 1)).hasSize(1);
    }

    // rule placement-again
    @Test
    void anAdapterWithoutAWishIsNotPlacedAgain() {
        PlacementEntry drained = new PlacementEntry(
                Optional.empty(), at(RIGHT, 8, Optional.empty()).place());
        assertThat(PlacementRules.nowhere(Map.of("a", drained), Set.of(7L), 9)).isEmpty();
    }
}
