// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** The claims that a node knows (rule cluster-directory). */
class ClaimsTest {
    private static final PortAddress ADDRESS = Packets.address(1);
    private static final int BUCKET = Claims.bucketOf(ADDRESS);

    private final Claims claims = new Claims();

    private static Place claim(PortAddress address, long node) {
        return new Place(address, node, 1, "a", true, "uplink");
    }

    @Test
    void allClaimsOfAnAddressAreFound() {
        claims.set(BUCKET, List.of(claim(ADDRESS, 1), claim(ADDRESS, 2)));
        assertThat(claims.of(ADDRESS)).extracting(Place::node).containsExactly(1L, 2L);
        assertThat(claims.of(Packets.address(2))).isEmpty();
    }

    @Test
    void aBucketThatChangesReplacesWhatItHad() {
        PortAddress other = new PortAddress(ADDRESS.high(), ADDRESS.low() + 1);
        claims.set(BUCKET, List.of(claim(ADDRESS, 1), claim(ADDRESS, 2)));
        claims.set(Claims.bucketOf(other), List.of(claim(other, 3)));
        assertThat(claims.size()).isEqualTo(3);
        claims.set(BUCKET, List.of(claim(ADDRESS, 2)));
        assertThat(claims.size()).isEqualTo(2);
        assertThat(claims.all()).extracting(Place::node).containsExactlyInAnyOrder(2L, 3L);
        assertThat(claims.of(ADDRESS)).containsExactly(claim(ADDRESS, 2));
    }
}
