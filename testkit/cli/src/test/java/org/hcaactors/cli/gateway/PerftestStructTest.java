// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HexFormat;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.memory.RemoteAddress;
import org.junit.jupiter.api.Test;

/** The keys that perftest's programs send in SENDs. */
class PerftestStructTest {
    private static final PerftestKeys KEYS = new PerftestKeys(
            16, QpAddress.of(Gid.ofIpv4(127, 0, 0, 3), 0x1A, 0x0A1B2C), new RemoteAddress(0x1234, 0x7F00_1234_5000L));

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void theNumbersAreWhereACompilerPutsThem() throws PeerException {
        byte[] sent = hex("00000000 00000010 0000001a 000a1b2c 00001234 00000000 00007f0012345000"
                + " 00000000000000000000ffff7f000003 00000000 00000000");
        assertThat(PerftestStruct.encode(KEYS, PerftestStruct.BYTES)).isEqualTo(sent);
        assertThat(PerftestStruct.decode(sent)).isEqualTo(KEYS);
    }

    @Test
    void newerProgramsHaveAnAddressMore() throws PeerException {
        byte[] sent = hex("00000000 00000010 0000001a 000a1b2c 00001234 00000000 00007f0012345000 0000000000000000"
                + " 00000000000000000000ffff7f000003 00000000 00000000");
        assertThat(PerftestStruct.encode(KEYS, PerftestStruct.LONG_BYTES)).isEqualTo(sent);
        assertThat(PerftestStruct.decode(sent)).isEqualTo(KEYS);
    }

    @Test
    void otherLengthsAreRefused() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> PerftestStruct.decode(new byte[60]))
                .withMessage("it sent 60 bytes; keys of perftest have 56 or 64");
    }
}
