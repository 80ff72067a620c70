// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** The limits of multicast groups. */
class MulticastLimitsTest {
    private static final PortAddress ONE = PortAddress.ofIpv4(0xE000_0001);
    private static final PortAddress TWO = PortAddress.ofIpv4(0xE000_0002);
    private static final PortAddress THREE = PortAddress.ofIpv4(0xE000_0003);

    private final MulticastLimits limits = new ObjectLimits(ObjectCapabilities.DEFAULT
                    .withMaxMulticastGroups(2)
                    .withMaxGroupMembers(2)
                    .withMaxMemberships(3))
            .multicast();

    private void refused(PortAddress group, int queuePair, String told) {
        assertThatThrownBy(() -> limits.attach(group, queuePair))
                .hasMessageContaining(told)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }

    // rule ud-multicast-limits
    @Test
    void theNumberOfGroupsIsLimited() {
        limits.attach(ONE, 7);
        limits.attach(TWO, 7);
        refused(THREE, 7, "attached to 2 multicast groups");
        limits.detach(ONE, 7);
        limits.attach(THREE, 8);
    }

    // rule ud-multicast-limits
    @Test
    void theMembersOfAGroupAreLimited() {
        limits.attach(ONE, 7);
        limits.attach(ONE, 8);
        refused(ONE, 9, "2 queue pairs of the adapter are attached to multicast group");
        limits.gone(7);
        limits.attach(ONE, 9);
    }

    // rule ud-multicast-limits
    @Test
    void theAttachmentsAreLimitedOverAllGroups() {
        limits.attach(ONE, 7);
        limits.attach(ONE, 8);
        limits.attach(TWO, 7);
        refused(TWO, 8, "has 3 attachments");
        limits.gone(7);
        limits.attach(TWO, 8);
        limits.attach(TWO, 9);
    }

    // rule ud-multicast-limits
    @Test
    void aRepeatedAttachmentCountsOnce() {
        for (int i = 0; i < 9; i++) {
            limits.attach(ONE, 7);
        }
        limits.attach(ONE, 8);
        limits.detach(ONE, 7);
        limits.detach(ONE, 7);
        limits.detach(TWO, 8);
        limits.gone(99);
        limits.attach(ONE, 9);
        limits.attach(TWO, 9);
        refused(TWO, 8, "has 3 attachments");
    }
}
