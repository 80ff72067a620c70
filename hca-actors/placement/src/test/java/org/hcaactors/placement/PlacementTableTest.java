// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.hcaactors.api.address.Gid;
import org.junit.jupiter.api.Test;

// rule placement-table
class PlacementTableTest {
    private static final Address NODE = Address.apply("pekko", "hca", "127.0.0.1", 25520);
    private static final PlacementEntry.Place PLACE =
            new PlacementEntry.Place(NODE, -1, new Gid(0xFD68_6361_0000_0000L, -2));

    @Test
    void textsAreReadAsTheyWereWritten() {
        assertThat(PlacementEntry.Place.parse(PLACE.text())).isEqualTo(PLACE);
        PlacementEntry.Wish node = new PlacementEntry.Wish(Optional.of(NODE));
        PlacementEntry.Wish any = new PlacementEntry.Wish(Optional.empty());
        assertThat(PlacementEntry.Wish.parse(node.text())).isEqualTo(node);
        assertThat(PlacementEntry.Wish.parse(any.text())).isEqualTo(any);
    }

    @Test
    void wishAndPlaceOfAnAdapterMakeAnEntry() {
        assertThat(PlacementTable.entries(
                        Map.of("w a", NODE.toString(), "p a", PLACE.text(), "w b", "-", "p c", PLACE.text())))
                .isEqualTo(Map.of(
                        "a",
                        new PlacementEntry(Optional.of(new PlacementEntry.Wish(Optional.of(NODE))), Optional.of(PLACE)),
                        "b",
                        new PlacementEntry(Optional.of(new PlacementEntry.Wish(Optional.empty())), Optional.empty()),
                        "c",
                        new PlacementEntry(Optional.empty(), Optional.of(PLACE))));
    }

    @Test
    void theKeyOfABucketNamesIt() {
        assertThat(PlacementTable.bucketOf(PlacementTable.key(PlacementTable.BUCKETS - 1)))
                .isEqualTo(PlacementTable.BUCKETS - 1);
    }
}
