// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Codec of the messages of communication management. */
class CmCodecTest {
    private static final CmPath PATH = new CmPath(
            0xFFFE,
            0xABCD,
            PortAddress.ofIpv4(0x0A00_0001),
            new PortAddress(0xFE80_0000_0000_0000L, 0x1234_5678_9ABC_DEF0L),
            0xF_EDCB,
            0x3D,
            0xA5,
            0x40,
            0xE,
            true,
            0x13);

    /** Each field with another value, and the first and the last bit of the wide ones set. */
    static final List<CmMessage> MESSAGES = List.of(
            new CmMessage.ConnectRequest(
                    0x8000_0001,
                    0x8000_0000_0106_1C07L,
                    0x8123_4567_89AB_CDEFL,
                    new QueuePairOffer(0x80_0028, 0x8001_0001, 0xC2_00FB, 3, 5, true, 0xFFFE, 5),
                    new ConnectionLimits(0x81, 0x42, 6, 7, true),
                    0x15,
                    0x1E,
                    0xD,
                    PATH,
                    CmPath.NONE,
                    data(92)),
            new CmMessage.ReceiptAcknowledgment(0x8000_0001, 0x7000_0002, 2, 0x1A, data(222)),
            new CmMessage.ConnectReject(0x8000_0001, 0, 1, 0xFF1C, bytes(72), data(148)),
            new CmMessage.ConnectReply(
                    0x8000_0001,
                    0x7000_0002,
                    0x8001_0001,
                    0x80_0029,
                    0xFF_0001,
                    0x91,
                    0x12,
                    0x17,
                    2,
                    true,
                    5,
                    true,
                    0x8123_4567_89AB_CDEFL,
                    data(196)),
            new CmMessage.ReadyToUse(0x8000_0001, 0x7000_0002, data(224)),
            new CmMessage.DisconnectRequest(0x8000_0001, 0x7000_0002, 0x80_0029, data(220)),
            new CmMessage.DisconnectReply(0x8000_0001, 0x7000_0002, data(224)),
            new CmMessage.ServiceRequest(0x8000_0001, 0xFFFE, 0x8000_0000_0111_1C07L, data(216)),
            new CmMessage.ServiceReply(0x8000_0001, 5, 0x80_0029, 0x111_1C07L, 0x8765_4321, bytes(7), data(136)),
            new CmMessage.LoadAlternatePath(0x8000_0001, 0x7000_0002, 0x80_0029, 0x1B, PATH, data(168)),
            new CmMessage.AlternatePathResponse(0x8000_0001, 0x7000_0002, 0x8B, bytes(9), data(148)));

    private static Octets data(int length) {
        return bytes(length);
    }

    private static Octets bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 0x81);
        }
        return Octets.wrap(bytes, 0, length);
    }

    // rule cm-messages
    @ParameterizedTest
    @FieldSource("MESSAGES")
    void eachMessageIsDecodedToWhatWasEncoded(CmMessage message) {
        CmDatagram datagram = new CmDatagram(0x8000_0002_6A03_34F9L, message);
        Octets encoded = CmCodec.encode(datagram);
        assertThat(encoded.length()).isEqualTo(256);
        assertThat(CmCodec.decode(encoded)).contains(datagram);
    }

    // rule cm-messages
    @Test
    void eachAttributeHasItsMessage() {
        Set<CmAttribute> shown = MESSAGES.stream().map(CmMessage::attribute).collect(Collectors.toSet());
        assertThat(shown).isEqualTo(EnumSet.allOf(CmAttribute.class));
        assertThat(MESSAGES)
                .allSatisfy(message -> assertThat(message.privateData().length())
                        .isEqualTo(message.attribute().privateBytes()));
    }

    // rule cm-messages
    @Test
    void shortPrivateDataIsPaddedWithZeros() {
        CmMessage.ReadyToUse message = new CmMessage.ReadyToUse(1, 2, bytes(3));
        CmMessage read = CmCodec.decode(CmCodec.encode(new CmDatagram(0, message)))
                .orElseThrow()
                .message();
        assertThat(read.privateData().slice(0, 3)).isEqualTo(bytes(3));
        assertThat(read.privateData().slice(3, 221).toArray()).containsOnly(0);
    }

    @Test
    void privateDataWithoutRoomIsRefused() {
        CmMessage.ReadyToUse message = new CmMessage.ReadyToUse(1, 2, bytes(225));
        assertThatThrownBy(() -> new CmDatagram(0, message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the private data of a RTU has 225 bytes; 224 are allowed");
        CmMessage.ConnectReject reject = new CmMessage.ConnectReject(1, 2, 0, 28, bytes(73), Octets.NONE);
        assertThatThrownBy(() -> new CmDatagram(0, reject))
                .hasMessage("the additional information of a REJ has 73 bytes; 72 are allowed");
    }

    @Test
    void fieldsWithoutRoomAreRefused() {
        assertThatThrownBy(() -> new ConnectionLimits(1, 1, 8, 7, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the retry count is 8; 0 to 7 is allowed");
        assertThatThrownBy(() -> new QueuePairOffer(1 << 24, 0, 0, 0, 0, false, 0, 0))
                .hasMessage("the queue pair number is 16777216; 0 to 16777215 is allowed");
        assertThatThrownBy(() -> new CmMessage.ReceiptAcknowledgment(1, 2, 0, -1, Octets.NONE))
                .hasMessage("the service timeout is -1; 0 to 31 is allowed");
    }

    // rule cm-mad
    @Test
    void otherDatagramsAreNoMessage() {
        byte[] request = CmCodec.encode(new CmDatagram(0, MESSAGES.getFirst())).toArray();
        for (int index : List.of(0, 1, 2, 3, 16, 17)) {
            byte[] other = request.clone();
            other[index] ^= (byte) 0x80;
            assertThat(CmCodec.decode(Octets.copyOf(other))).as("byte " + index).isEmpty();
        }
        assertThat(CmCodec.decode(bytes(255))).isEmpty();
        assertThat(CmCodec.decode(Octets.NONE)).isEmpty();
    }

    // rule cm-ip-service
    @Test
    void aServiceIdHasThePortSpaceAndThePort() {
        long service = IpService.serviceId(IpService.TCP, 7174);
        assertThat(HexFormat.of().toHexDigits(service)).isEqualTo("0000000001061c06");
        assertThat(IpService.isIp(service)).isTrue();
        assertThat(IpService.space(service)).isEqualTo(IpService.TCP);
        assertThat(IpService.port(IpService.serviceId(IpService.UDP, 65_535))).isEqualTo(65_535);
        assertThat(IpService.isIp(0x0001_0000_0106_1C06L)).isFalse();
        assertThat(IpService.isIp(0x0107_1C06L)).isFalse();
    }

    // rule cm-ip-addresses
    @Test
    void ipAddressesBeginThePrivateData() {
        IpService v4 = new IpService(41_782, PortAddress.ofIpv4(0x0A4D_0003), PortAddress.ofIpv4(0x0A4D_0002));
        Octets private4 = v4.with(bytes(56));
        assertThat(private4.length()).isEqualTo(CmAttribute.REQ.privateBytes());
        assertThat(HexFormat.of().formatHex(private4.toArray(), 0, 36))
                .isEqualTo("0040a336" + "0".repeat(24) + "0a4d0003" + "0".repeat(24) + "0a4d0002");
        assertThat(IpService.read(private4)).contains(v4);
        IpService v6 = new IpService(1, new PortAddress(0xFE80L << 48, 1), new PortAddress(0xFE80L << 48, 2));
        assertThat(IpService.read(v6.with(Octets.NONE))).contains(v6);
        assertThat(IpService.read(bytes(92))).as("another version").isEmpty();
        assertThat(IpService.read(Octets.NONE)).isEmpty();
    }

    // rule cm-reject-reasons
    @Test
    void reasonsHaveTheCodesOfTheSpecification() {
        assertThat(RejectReason.of(28)).contains(RejectReason.CONSUMER_DEFINED);
        assertThat(RejectReason.of(8)).contains(RejectReason.INVALID_SERVICE_ID);
        assertThat(RejectReason.of(0)).isEmpty();
        for (int code = 1; code <= 33; code++) {
            assertThat(RejectReason.of(code)).map(RejectReason::ordinal).contains(code - 1);
        }
        assertThat(RejectReason.of(34)).isEmpty();
    }
}
