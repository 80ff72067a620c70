// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** Holders of addresses and members of groups. */
class MembersTest {
    private static final PortAddress A = SwitchboardTest.A;
    private static final PortAddress B = SwitchboardTest.B;
    private static final PortAddress GROUP = PortAddress.ofIpv4(0xE0000001);
    private static final PortAddress OTHER = PortAddress.ofIpv4(0xE0000002);

    private final Port first = new Port("first", LinkProperties.IDEAL);
    private final Port second = new Port("second", LinkProperties.IDEAL);
    private final AddressTable table = new AddressTable();

    private final Endpoint one = new Endpoint(A, 1, new Inbox());
    private final Endpoint two = new Endpoint(B, 2, new Inbox());
    private final MulticastGroups groups = new MulticastGroups();

    @Test
    void anAddressClaimedAgainKeepsItsHolder() {
        table.claim(first, List.of(A));
        table.claim(second, List.of(A));
        table.claim(first, List.of(A, B));
        assertThat(table.holder(A)).isSameAs(first);
        assertThat(table.holder(B)).isSameAs(first);
    }

    @Test
    void anAddressClaimedTwiceIsReleasedOnce() {
        table.claim(first, List.of(A));
        table.claim(first, List.of(A));
        table.claim(second, List.of(A));
        table.claim(first, List.of());
        assertThat(table.holder(A)).isSameAs(second);
        table.claim(second, List.of(B));
        assertThat(table.holder(A)).isNull();
    }

    @Test
    void aMemberThatLeftAGroupGetsNoMorePackets() {
        assertThat(groups.leave(GROUP, one)).as("never joined").isFalse();
        groups.join(GROUP, one, false);
        groups.join(GROUP, two, false);
        assertThat(groups.receiversOf(GROUP, two)).containsExactly(one, two);
        assertThat(groups.leave(OTHER, one)).as("in another group only").isFalse();
        assertThat(groups.leave(GROUP, one)).isTrue();
        assertThat(groups.leave(GROUP, one)).isFalse();
        assertThat(groups.hasMember(GROUP, one)).isFalse();
        assertThat(groups.receiversOf(GROUP, two)).containsExactly(two);
    }

    // rule ud-multicast
    @Test
    void loopbackBlockingSuppressesOnlyOwnPackets() {
        groups.join(GROUP, one, true);
        groups.join(GROUP, two, false);
        assertThat(groups.receiversOf(GROUP, one)).containsExactly(two);
        assertThat(groups.receiversOf(GROUP, two)).containsExactly(one, two);
        groups.leaveAll(one);
        groups.leaveAll(one);
        assertThat(groups.receiversOf(GROUP, two)).containsExactly(two);
    }
}
