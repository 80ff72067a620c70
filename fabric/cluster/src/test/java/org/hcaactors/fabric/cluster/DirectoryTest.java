// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places of addresses (rule cluster-directory). */
class DirectoryTest {
    private static final long SELF = 99;
    private static final Place FIRST =
            new Place(Packets.address(1), 5, 1, "a", true, "pekko://fabric@127.0.0.1:1/user/x#1");
    private static final Place SECOND =
            new Place(Packets.address(2), 6, 1, "a", true, "pekko://fabric@127.0.0.1:2/user/x#1");
    private static final Place THIRD =
            new Place(Packets.address(3), 6, 2, "b", false, "pekko://fabric@127.0.0.1:2/user/x#1");

    @Test
    void aPlaceIsTheSameAfterBeingText() {
        assertThat(Place.parse(FIRST.text())).contains(FIRST);
        assertThat(Place.parse(THIRD.text())).contains(THIRD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1 2 3", "x 2 3 4 a 1 ref", "1 2 3 4 a 1 ref more"})
    void otherTextIsNoPlace(String text) {
        assertThat(Place.parse(text)).isEmpty();
    }

    @Test
    void addressesAndNamesAreFound() {
        Directory directory = Directory.of(List.of(SECOND, FIRST, THIRD), SELF);
        assertThat(directory.at(Packets.address(2))).contains(SECOND);
        assertThat(directory.at(Packets.address(4))).isEmpty();
        assertThat(directory.of("b")).isEmpty();
        assertThat(directory.uplinks()).containsOnlyKeys(5L, 6L);
    }

    @Test
    void ofTwoAdaptersWithANameTheLowerAddressIsFound() {
        assertThat(Directory.of(List.of(SECOND, FIRST), SELF).of("a")).contains(Packets.address(1));
        assertThat(Directory.of(List.of(FIRST, SECOND), SELF).of("a")).contains(Packets.address(1));
    }

    @Test
    void anEarlierClaimOfAnAddressGoesFirst() {
        Place later = new Place(Packets.address(1), 4, 2, "c", true, "pekko://fabric@127.0.0.1:3/user/x#1");
        Place concurrent = new Place(Packets.address(1), 9, 1, "d", true, "pekko://fabric@127.0.0.1:4/user/x#1");
        Directory directory = Directory.of(List.of(later, FIRST, concurrent), SELF);
        assertThat(directory.at(Packets.address(1))).contains(FIRST);
        assertThat(directory.of("c")).isEmpty();
        assertThat(Directory.of(List.of(concurrent, later), SELF).at(Packets.address(1)))
                .contains(concurrent);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aNodeWithOtherVersionsIsRefused(int version) {
        assertThat(WireVersion.whyNot(version, version)).isPresent();
        assertThat(WireVersion.whyNot(0, 2)).isEmpty();
    }
}
