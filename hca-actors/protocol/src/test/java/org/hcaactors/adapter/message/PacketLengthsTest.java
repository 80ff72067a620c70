// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wire-formats 1.6: packet lengths at their limits. */
class PacketLengthsTest {
    // rule rc-lengths
    @ParameterizedTest
    @CsvSource({
        "RC_SEND_FIRST, 1023, true",
        "RC_SEND_FIRST, 1024, false",
        "RC_SEND_FIRST, 1025, true",
        "RC_WRITE_MIDDLE, 1023, true",
        "RC_WRITE_MIDDLE, 1024, false",
        "RC_SEND_LAST, 0, true",
        "RC_SEND_LAST, 1, false",
        "RC_SEND_LAST, 1024, false",
        "RC_SEND_LAST, 1025, true",
        "RC_SEND_ONLY, 0, false",
        "RC_SEND_ONLY, 1024, false",
        "RC_SEND_ONLY, 1025, true"
    })
    void firstAndMiddleAreFullLastIsNotEmptyAndNoneIsLongerThanTheMtu(Opcode opcode, int bytes, boolean wrong) {
        Side side = new Side("x", 1, 1, org.hcaactors.api.device.Profile.CONNECTX_5, false);
        GlobalRoute path = GlobalRoute.to(new Gid(side.port.high(), side.port.low()));
        Packet packet = Headers.ofConnection(new QpSettings(1, 1, false), side.local, path, true, opcode.transport())
                .packet(opcode.operation(), 0, false, false, List.of(), Octets.wrap(new byte[bytes], 0, bytes));
        assertThat(PacketLengths.isWrong(packet, 1024)).isEqualTo(wrong);
    }

    // rule rc-lengths
    @ParameterizedTest
    @CsvSource({
        "WRITE_FIRST, 2047, false",
        "WRITE_FIRST, 2048, true",
        "WRITE_MIDDLE, 2047, false",
        "WRITE_MIDDLE, 2048, true",
        "WRITE_LAST, 2047, true",
        "WRITE_LAST, 2048, false",
        "WRITE_LAST, 2049, true",
        "WRITE_ONLY, 2048, false"
    })
    void aWriteOf2048BytesEndsWithItsLastPacketAndNotBefore(Operation operation, long reached, boolean wrong) {
        assertThat(PacketLengths.isWrongPart(operation, reached, 2048)).isEqualTo(wrong);
    }
}
