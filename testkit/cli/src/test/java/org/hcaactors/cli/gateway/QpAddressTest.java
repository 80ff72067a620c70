// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import org.hcaactors.api.address.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text with which the ibv_*_pingpong programs introduce themselves. */
class QpAddressTest {
    private static final String TEXT = "0000:00001a:0a1b2c:00000000000000000000ffff7f000003";

    private static byte[] sent(String text) {
        return Arrays.copyOf(text.getBytes(US_ASCII), QpAddress.BYTES);
    }

    @Test
    void theTextIsThatOfTheClassicPrograms() throws PeerException {
        QpAddress address = QpAddress.of(Gid.ofIpv4(127, 0, 0, 3), 0x1A, 0x0A1B2C);
        assertThat(address.encode()).isEqualTo(sent(TEXT)).endsWith(0);
        assertThat(QpAddress.decode(sent(TEXT))).isEqualTo(address);
        assertThat(address).hasToString("QPN 0x00001a, PSN 0x0a1b2c, GID ::ffff:127.0.0.3");
    }

    @Test
    void valuesOfAllBitsAreKept() throws PeerException {
        QpAddress all = new QpAddress(0xFFFF, 0xFFFFFF, 0xFFFFFF, new Gid(-1, -1));
        assertThat(QpAddress.decode(all.encode())).isEqualTo(all);
        assertThat(all.hasGid()).isTrue();
    }

    @Test
    void aProgramWithoutAGidSendsZeros() throws PeerException {
        QpAddress address = QpAddress.decode(sent("0001:00001a:0a1b2c:00000000000000000000000000000000"));
        assertThat(address.hasGid()).isFalse();
        assertThat(address.lid()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0000:00001a:0a1b2c",
                "0000:00001a:0a1b2c:00000000000000000000ffff7f00000",
                "0000:-0001a:0a1b2c:00000000000000000000ffff7f000003",
                "0000:00001a:0a1b2c:00000000000000000000ffff7f00000x",
                "00000:0001a:0a1b2c:00000000000000000000ffff7f000003"
            })
    void otherTextsAreRefused(String text) {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> QpAddress.decode(sent(text)))
                .withMessageStartingWith("it sent no address of a queue pair, such as 0000:");
    }
}
