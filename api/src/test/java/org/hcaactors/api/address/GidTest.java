// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as GIDs, and their texts. */
class GidTest {
    @ParameterizedTest
    @CsvSource({
        "fe80::1, fe80000000000000, 1",
        "fe80:0000:0000:0000:0000:0000:0000:0001, fe80000000000000, 1",
        "FF0E::ABCD, ff0e000000000000, abcd",
        "::, 0, 0",
        "::ffff:10.0.0.1, 0, ffff0a000001",
        "::ffff:a00:1, 0, ffff0a000001",
        "10.0.0.1, 0, ffff0a000001",
        "255.255.255.255, 0, ffffffffffff",
        "::10.0.0.1, 0, a000001",
    })
    void aGidIsParsedFromItsAddressText(String text, String high, String low) {
        Gid gid = new Gid(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16));
        assertThat(Gid.parse(text)).isEqualTo(gid);
        assertThat(Gid.parse(gid.toString())).as("its own text").isEqualTo(gid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "cafe",
                "10",
                "10.0.0",
                "10.0.0.256",
                ".::1",
                ":",
                "1:2:3:4:5:6:7:8:9",
                "fe80::1%lo",
                "::ffff:10.0.0.999",
                "::g"
            })
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> Gid.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("GID \"" + text + "\"");
    }

    @Test
    void anIpv4AddressIsMappedAndAnIpv6AddressIsAsItIs() throws UnknownHostException {
        assertThat(Gid.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) 255})))
                .isEqualTo(Gid.ofIpv4(192, 0, 2, 255));
        byte[] bytes = new byte[16];
        bytes[0] = (byte) 0xFE;
        bytes[15] = 2;
        assertThat(Gid.of(InetAddress.getByAddress(bytes))).isEqualTo(new Gid(0xFEL << 56, 2));
    }
}
