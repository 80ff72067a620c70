// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.memory.RemoteAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text with which perftest's programs introduce themselves. */
class PerftestKeysTest {
    private static final String TEXT =
            "0000:0010:00001a:0a1b2c:00001234:00007f0012345000:00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:03:00000000:";

    private static byte[] sent(String text) {
        return Arrays.copyOf(text.getBytes(US_ASCII), PerftestKeys.BYTES);
    }

    @Test
    void theTextIsThatOfPerftest() throws PeerException {
        PerftestKeys keys = new PerftestKeys(
                16,
                QpAddress.of(Gid.ofIpv4(127, 0, 0, 3), 0x1A, 0x0A1B2C),
                new RemoteAddress(0x1234, 0x7F00_1234_5000L));
        assertThat(keys.encode()).isEqualTo(sent(TEXT)).endsWith(0);
        assertThat(PerftestKeys.decode(sent(TEXT))).isEqualTo(keys);
    }

    @Test
    void keysAndAddressesOfAllBitsAreKept() throws PeerException {
        PerftestKeys all = new PerftestKeys(
                0xFFFF, new QpAddress(0xFFFF, 0xFFFFFF, 0xFFFFFF, new Gid(-1, -1)), new RemoteAddress(-1, -1));
        assertThat(PerftestKeys.decode(all.encode())).isEqualTo(all);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0000:0010:00001a:0a1b2c:00001234:00007f0012345000:00000000", "0000:0010:00001a:0a1b2c:x"})
    void keysWithoutAGidAreRefused(String text) {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> PerftestKeys.decode(sent(text)))
                .withMessageStartingWith("it sent no keys of perftest with a GID; its programs require -x");
    }
}
