// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.views.capture.CapturedRun;

/** Messages of communication management: one of each kind, and those that Linux programs sent. */
public final class CmSamples {
    /** Names of the captures that contain messages. */
    public static final List<String> CAPTURES = List.of(
            "rping.pcap",
            "cmatose.pcap",
            "cm_reject.pcap",
            "rdma_client.pcap",
            "udaddy.pcap",
            "write_bw_cm.pcap",
            "live/cm_rping.pcapng");

    private static final Path FOLDER = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final PortAddress ONE = PortAddress.ofIpv4(0x0A4D_0003);
    private static final PortAddress OTHER = PortAddress.ofIpv4(0x0A4D_0002);
    private static final PortAddress LINK_LOCAL = new PortAddress(0xFE80L << 48, 0x1234_5678_9ABC_DEF0L);
    private static final CmPath PATH =
            new CmPath(0xFFFE, 0xABCD, ONE, LINK_LOCAL, 0xF_EDCB, 0x3D, 0xA5, 0x40, 0xE, true, 0x13);

    /** A message of each kind, each field with another value; of a REQ with and without the addresses of IP ports. */
    public static final List<CmMessage> EACH_KIND = List.of(
            request(IpService.serviceId(IpService.TCP, 7174), new IpService(41_782, ONE, OTHER).with(data(56))),
            request(IpService.serviceId(IpService.IB, 7174), new IpService(1, LINK_LOCAL, LINK_LOCAL).with(data(56))),
            request(0x8000_0000_0106_1C07L, data(92)),
            new CmMessage.ReceiptAcknowledgment(0x8000_0001, 0x7000_0002, 2, 0x10, data(222)),
            new CmMessage.ConnectReject(0x8000_0001, 0x7000_0002, 1, 28, data(72), data(148)),
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
            new CmMessage.ServiceRequest(
                    0x8000_0001,
                    0xFFFE,
                    IpService.serviceId(IpService.UDP, 7174),
                    new IpService(41_782, ONE, OTHER).with(data(180))),
            new CmMessage.ServiceReply(
                    0x8000_0001,
                    3,
                    0x80_0029,
                    IpService.serviceId(IpService.UDP, 7174),
                    0x8765_4321,
                    data(7),
                    data(136)),
            new CmMessage.LoadAlternatePath(0x8000_0001, 0x7000_0002, 0x80_0029, 0x1B, PATH, data(168)),
            new CmMessage.AlternatePathResponse(0x8000_0001, 0x7000_0002, 8, data(9), data(148)));

    private CmSamples() {}

    private static CmMessage request(long service, Octets privateData) {
        return new CmMessage.ConnectRequest(
                0x8000_0001,
                service,
                0x8123_4567_89AB_CDEFL,
                new QueuePairOffer(0x80_0028, 0x8001_0001, 0xC2_00FB, 3, 1, true, 0xFFFE, 5),
                new ConnectionLimits(0x81, 0x42, 6, 7, true),
                0x15,
                0x1E,
                0xD,
                PATH,
                CmPath.NONE,
                privateData);
    }

    private static Octets data(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 0x81);
        }
        return Octets.wrap(bytes, 0, length);
    }

    /** Returns a packet between the queue pairs 1 that carries the message. */
    public static Packet packet(CmMessage message) {
        return packet(CmDatagram.QP_NUMBER, CmDatagram.QKEY, CmCodec.encode(new CmDatagram(7, message)));
    }

    static Packet packet(int destQp, int qkey, Octets payload) {
        return new Packet(
                new Route(ONE, OTHER, 0, 64, 0, 0xC123),
                Bth.of(Opcode.UD_SEND_ONLY, false, false, payload.length(), Bth.DEFAULT_PKEY, destQp, false, 6),
                List.of(new ExtendedHeader.Deth(qkey, 0, 1)),
                payload);
    }

    /** Returns a capture in the form of a run. */
    public static List<TraceEvent> run(String capture) throws IOException {
        return CapturedRun.read(FOLDER.resolve(capture)).run().events();
    }

    /** Returns the packets of a capture that carry messages. */
    public static List<Packet> captured(String capture) throws IOException {
        return run(capture).stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(event -> ((FabricEvent.Sent) event).packet())
                .filter(packet -> packet.bth().destQp() == CmDatagram.QP_NUMBER)
                .toList();
    }
}
