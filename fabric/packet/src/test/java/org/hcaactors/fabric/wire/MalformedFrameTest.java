// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedFrameTest {
    private static final String GOOD =
            "4500003000004000401126bb0a0000010a000002c00012b7001c00000440ffff0000001180000001deadbeef1133252a";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Decoded with(int index, int value) {
        byte[] frame = bytes(GOOD);
        frame[index] = (byte) value;
        return FrameDecoder.decode(frame, LinkLayer.RAW_IP);
    }

    // rule wire-frame
    @ParameterizedTest(name = "byte {0} = {1} is {2}")
    @CsvSource({
        "3, 47, OK",
        "3, 43, BAD_LENGTH",
        "3, 255, TRUNCATED",
        "25, 99, OK",
        "6, 32, FRAGMENT",
        "28, 255, UNKNOWN_OPCODE",
        "28, 21, UNKNOWN_OPCODE",
        "28, 17, OK",
        "28, 10, BAD_LENGTH",
        "28, 12, BAD_LENGTH",
        "29, 112, OK"
    })
    void eachFaultHasItsName(int index, int value, String problem) {
        Decoded decoded = with(index, value);
        if (problem.equals("OK")) {
            assertThat(decoded).isInstanceOf(Decoded.Frame.class);
        } else {
            assertThat(decoded).isInstanceOfSatisfying(Decoded.Malformed.class, bad -> {
                assertThat(bad.problem()).isEqualTo(Problem.valueOf(problem));
                assertThat(bad.detail()).isNotBlank();
            });
        }
    }

    @Test
    void aCutPacketIsTruncatedAtEveryLengthBehindItsUdpHeader() {
        byte[] good = bytes(GOOD);
        for (int length = 28; length < good.length; length++) {
            assertThat(FrameDecoder.decode(java.util.Arrays.copyOf(good, length), LinkLayer.RAW_IP))
                    .isInstanceOfSatisfying(
                            Decoded.Malformed.class,
                            bad -> assertThat(bad.problem()).isEqualTo(Problem.TRUNCATED));
        }
    }

    // rule wire-frame
    @ParameterizedTest(name = "byte {0} = {1}: {2}")
    @CsvSource({
        "0, 70, IPv4 with first byte 0x46; RoCEv2 has 0x45: no options",
        "0, 16, IP version 1",
        "9, 6, IP protocol 6",
        "23, 53, UDP port 4661"
    })
    void anotherProtocolIsNamed(int index, int value, String what) {
        assertThat(with(index, value)).isEqualTo(new Decoded.NotRoce(what));
    }

    @Test
    void anArpFrameIsNotRoce() {
        byte[] arp = new byte[42];
        arp[12] = 0x08;
        arp[13] = 0x06;
        assertThat(FrameDecoder.decode(arp, LinkLayer.ETHERNET)).isEqualTo(new Decoded.NotRoce("ethertype 0x0806"));
    }

    @Test
    void aReadRequestWithPayloadIsMalformed() {
        String request = "4500003c00004000401100000a0000010a000002c00012b7002800000c40ffff0000001180000001"
                + "00007f0012345678001234ab00000005" + "deadbeef";
        byte[] longer = bytes(request + "00000000");
        longer[3] = 0x40;
        assertThat(FrameDecoder.decode(bytes(request), LinkLayer.RAW_IP)).isInstanceOf(Decoded.Frame.class);
        assertThat(FrameDecoder.decode(longer, LinkLayer.RAW_IP))
                .isInstanceOfSatisfying(
                        Decoded.Malformed.class,
                        bad -> assertThat(bad.problem()).isEqualTo(Problem.UNEXPECTED_PAYLOAD));
    }

    // rule wire-frame
    @Test
    void aVlanTagIsReadAndKept() {
        byte[] tagged = bytes("020000000002" + "020000000001" + "8100" + "0064" + "0800" + GOOD);
        assertThat(FrameDecoder.decode(tagged, LinkLayer.ETHERNET)).isInstanceOfSatisfying(Decoded.Frame.class, f -> {
            assertThat(f.frame().icrcOk()).isTrue();
            assertThat(FrameEncoder.encode(f.frame())).isEqualTo(tagged);
        });
    }
}
