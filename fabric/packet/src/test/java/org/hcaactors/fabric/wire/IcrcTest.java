// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Vectors computed by an independent implementation (rule wire-icrc), and a congestion notification captured from a ConnectX-4
 * Lx.
 */
class IcrcTest {
    private static Decoded decode(String hex, LinkLayer layer) {
        return FrameDecoder.decode(HexFormat.of().parseHex(hex.replace(" ", "")), layer);
    }

    private static RoceFrame frame(String hex, LinkLayer layer) {
        return switch (decode(hex, layer)) {
            case Decoded.Frame f -> f.frame();
            case Decoded.Truncated cut -> throw new AssertionError(cut);
            case Decoded.NotRoce other -> throw new AssertionError(other);
            case Decoded.Malformed bad -> throw new AssertionError(bad);
        };
    }

    // rule wire-icrc
    @ParameterizedTest
    @CsvSource({
        "RC_SEND_ONLY, 4500003000004000401126bb0a0000010a000002c00012b7001c00000440ffff0000001180000001deadbeef, 1133252a",
        "RC_SEND_ONLY, 456a00300000400003119999"
                + "0a0000010a000002c00012b7001c12340440ffff8000001180000001deadbeef, 1133252a",
        "RC_ACKNOWLEDGE, 4500003000004000401126bb0a0000020a000001c00012b7001c00001140ffff00000012000000011f000001, a0bfad6e",
        "RC_WRITE_ONLY, 4500004400004000401126a70a0000010a000002c00012b7003000000a70ffff000000118000000200007f001234567800"
                + "1234ab0000000568656c6c6f000000, 77600b08",
        "RC_SEND_ONLY, 60000000001c114020010db800000000000000000000000120010db8000000000000000000000002"
                + "c00012b7001c00000440ffff0000001180000001deadbeef, 259fa357"
    })
    void theVectorsOfTheReferenceHold(Opcode opcode, String packet, String icrc) {
        RoceFrame right = frame(packet + icrc, LinkLayer.RAW_IP);
        assertThat(right.packet().opcode()).isEqualTo(opcode);
        assertThat(right.icrcOk()).isTrue();
        assertThat(frame(packet + "00000000", LinkLayer.RAW_IP).icrcOk()).isFalse();
    }

    // rules wire-icrc, wire-opcodes
    @Test
    void aNotificationFromAConnectX4LxIsRight() {
        RoceFrame cnp = frame(
                "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ffff40000118"
                        + "00000000" + "00".repeat(16) + "82fd002a",
                LinkLayer.ETHERNET);
        assertThat(cnp.icrcOk()).isTrue();
        assertThat(cnp.packet().opcode()).isEqualTo(Opcode.CNP);
        assertThat(cnp.packet().bth().becn()).isTrue();
        assertThat(cnp.packet().bth().destQp()).isEqualTo(0x118);
        assertThat(cnp.packet().payload().length()).isEqualTo(16);
    }

    @Test
    void ourEncodingOfAnIpv6PacketIsDecodedAsTheSamePacket() {
        RoceFrame v6 = frame(
                "60000000001c114020010db800000000000000000000000120010db8000000000000000000000002"
                        + "c00012b7001c00000440ffff0000001180000001deadbeef259fa357",
                LinkLayer.IPV6);
        byte[] ours = FrameEncoder.encode(v6.packet());
        assertThat(FrameDecoder.decode(ours, LinkLayer.ETHERNET)).isInstanceOfSatisfying(Decoded.Frame.class, f -> {
            assertThat(f.frame().packet()).isEqualTo(v6.packet());
            assertThat(f.frame().icrcOk()).isTrue();
        });
    }

    @Test
    void ourOwnPacketsHaveACorrectIpv4Checksum() {
        Packet packet = frame(
                        "4500003000004000401126bb0a0000020a000001c00012b7001c00001140ffff00000012000000011f000001a0bfad6e",
                        LinkLayer.RAW_IP)
                .packet();
        assertThat(packet.aeth()).isEqualTo(new ExtendedHeader.Aeth(0x1F, 1));
        RoceFrame back = (RoceFrame)
                ((Decoded.Frame) FrameDecoder.decode(FrameEncoder.encode(packet), LinkLayer.ETHERNET)).frame();
        assertThat(back.ip()).isEqualTo(new IpHeader.Ipv4(0, 0x4000, 0x26bb));
    }
}
