// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.packet.PortAddress;

/** Frames that two hosts with Linux 6.1 exchanged for a ping, A with .1 and B with .2. */
final class LinuxFrames {
    static final MacAddress MAC_A = MacAddress.parse("52:54:00:00:00:0a");
    static final MacAddress MAC_B = MacAddress.parse("52:54:00:00:00:0b");
    static final PortAddress A4 = address("10.9.0.1");
    static final PortAddress B4 = address("10.9.0.2");
    static final PortAddress A6 = address("fd00::1");
    static final PortAddress B6 = address("fd00::2");

    static final byte[] ARP_REQUEST = bytes("""
            ffffffffffff 52540000000a 0806 0001080006040001 52540000000a 0a090001 000000000000 0a090002""");
    static final byte[] ARP_REPLY = bytes("""
            52540000000a 52540000000b 0806 0001080006040002 52540000000b 0a090002 52540000000a 0a090001""");
    /** B asks again, after a while. */
    static final byte[] ARP_AGAIN = bytes("""
            52540000000a 52540000000b 0806 0001080006040001 52540000000b 0a090002 000000000000 0a090001""");

    static final byte[] SOLICITATION = bytes("""
            3333ff000002 52540000000a 86dd 6000000000203aff
            fd000000000000000000000000000001 ff0200000000000000000001ff000002
            87002d3a 00000000 fd000000000000000000000000000002 0101 52540000000a""");
    static final byte[] ADVERTISEMENT = bytes("""
            52540000000a 52540000000b 86dd 6000000000203aff
            fd000000000000000000000000000002 fd000000000000000000000000000001
            8800cc3c 60000000 fd000000000000000000000000000002 0201 52540000000b""");
    /** A question to A alone, and its answer without a MAC address. */
    static final byte[] SOLICITATION_AGAIN = bytes("""
            52540000000a 52540000000b 86dd 6000000000203aff
            fe80000000000000505400fffe00000b fd000000000000000000000000000001
            8700dd60 00000000 fd000000000000000000000000000001 0101 52540000000b""");

    static final byte[] ADVERTISEMENT_AGAIN = bytes("""
            52540000000b 52540000000a 86dd 6000000000183aff
            fd000000000000000000000000000001 fe80000000000000505400fffe00000b
            8800efc8 40000000 fd000000000000000000000000000001""");

    static final byte[] PING = bytes("""
            52540000000b 52540000000a 0800 45000024378840004001ef3c 0a090001 0a090002
            0800a42647c80001 0001020304050607""");
    static final byte[] PING6 = bytes("""
            52540000000b 52540000000a 86dd 600cab7400103a40
            fd000000000000000000000000000001 fd000000000000000000000000000002
            800031d547ca0001 0001020304050607""");

    private LinuxFrames() {}

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static PortAddress address(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(InetAddress.getByName(text).getAddress());
            return bytes.remaining() == Integer.BYTES
                    ? PortAddress.ofIpv4(bytes.getInt())
                    : new PortAddress(bytes.getLong(), bytes.getLong());
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static EthernetHeader header(byte[] frame) {
        return EthernetHeader.read(frame).orElseThrow();
    }
}
