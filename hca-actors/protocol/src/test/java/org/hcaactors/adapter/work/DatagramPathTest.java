// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of address handles. */
class DatagramPathTest {
    private static final Gid V4 = Gid.ofIpv4(10, 0, 0, 2);
    private static final Gid V6 = new Gid(0x2001_0DB8_0000_0000L, 2);

    private final LocalPort port = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withGidTableLength(4)
                    .withPkeyTableLength(4))
            .withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1), new Gid(0x2001_0DB8_0000_0000L, 1)))
            .withPkeyTable(List.of(0xFFFF)));

    private void refused(AddressVector vector, String reason) {
        assertThatThrownBy(() -> DatagramPath.of(vector, 1, port))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "0xFFFFF, 255, 255, ''",
        "0, 0, 1, ''",
        "0x100000, 0, 1, 'flow label is 1048576; 0 to 1048575 is allowed'",
        "-1, 0, 1, 'flow label is -1; 0 to 1048575 is allowed'",
        "0, 256, 1, 'traffic class is 256; 0 to 255 is allowed'",
        "0, -1, 1, 'traffic class is -1; 0 to 255 is allowed'",
        "0, 0, 256, 'hop limit is 256; 1 to 255 is allowed'",
        "0, 0, 0, 'hop limit is 0; 1 to 255 is allowed'"
    })
    void eachFieldOfThePathHasItsRange(int flowLabel, int trafficClass, int hopLimit, String reason) {
        AddressVector vector = AddressVector.to(GlobalRoute.to(V4)
                .withFlowLabel(flowLabel)
                .withTrafficClass(trafficClass)
                .withHopLimit(hopLimit));
        if (!reason.isEmpty()) {
            refused(vector, reason);
            return;
        }
        DatagramPath path = DatagramPath.of(vector, 1, port);
        assertThat(path.route().trafficClass()).isEqualTo(trafficClass);
        assertThat(path.route().hopLimit()).isEqualTo(hopLimit);
        assertThat(path.sourceIndex()).isZero();
    }

    @Test
    void anAddressNeedsAGlobalRouteAndPortOne() {
        refused(AddressVector.toLid(3), "the address vector has no global route; RoCE requires one");
        refused(AddressVector.to(V4).withPort(2), "port 2 does not exist; the adapter has only port 1");
    }

    // rule wire-one-ip-version
    @Test
    void bothEndsAreOfTheSameIpVersion() {
        refused(AddressVector.to(V6), "both must be IPv4 or both IPv6");
        refused(AddressVector.to(GlobalRoute.to(V4).withSourceGidIndex(1)), "both must be IPv4 or both IPv6");
        GlobalRoute six = GlobalRoute.to(V6).withSourceGidIndex(1);
        assertThat(DatagramPath.of(AddressVector.to(six), 1, port).sourceIndex())
                .isOne();
    }
}
