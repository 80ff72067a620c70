// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.capture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.wire.FrameEncoder;

/** A classic pcap, made of packets or of the frames of another capture, a microsecond apart; each frame is cut at a snap length. */
public final class MadeCapture {
    /** Frames are whole. */
    public static final int WHOLE = Integer.MAX_VALUE;

    private static final Route THERE =
            new Route(PortAddress.ofIpv4(0x0A00_0001), PortAddress.ofIpv4(0x0A00_0002), 0, 64, 0, 0xC000);

    private static final int ASKED_QP = 17;
    private static final int ASKING_QP = 18;

    private final int snapBytes;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int frames;

    private MadeCapture(int snapBytes) {
        this.snapBytes = snapBytes;
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xA1B23C4D).putShort((short) 2).putShort((short) 4).putInt(16, 1 << 18);
        out.writeBytes(header.putInt(20, 1).array());
    }

    public static MadeCapture whole() {
        return new MadeCapture(WHOLE);
    }

    public static MadeCapture snapped(int snapBytes) {
        return new MadeCapture(snapBytes);
    }

    /** The same frames, cut. */
    public static MadeCapture snapped(Path other, int snapBytes) throws IOException {
        MadeCapture made = new MadeCapture(snapBytes);
        try (CaptureReader reader = CaptureReader.open(other)) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                made.frame(next.get().bytes().toArray(), next.get().originalLength());
            }
        }
        return made;
    }

    /** From the one host to queue pair 17 of the other. */
    public static Packet request(Opcode opcode, int psn, int payloadBytes, ExtendedHeader... headers) {
        return packet(THERE, opcode, ASKED_QP, psn, payloadBytes, headers);
    }

    /** The way back, to queue pair 18. */
    public static Packet answer(Opcode opcode, int psn, int payloadBytes, ExtendedHeader... headers) {
        return packet(THERE.reversed(), opcode, ASKING_QP, psn, payloadBytes, headers);
    }

    public static Packet ack(int psn, int msn) {
        return answer(Opcode.RC_ACKNOWLEDGE, psn, 0, new ExtendedHeader.Aeth(Syndrome.ACK, msn));
    }

    /** To another queue pair. */
    public static Packet to(int qp, Packet packet) {
        Bth bth = packet.bth();
        return packet.withBth(Bth.of(
                bth.opcode(),
                bth.solicited(),
                bth.migReq(),
                packet.payload().length(),
                bth.pkey(),
                qp,
                bth.ackReq(),
                bth.psn()));
    }

    private static Packet packet(
            Route route, Opcode opcode, int qp, int psn, int payloadBytes, ExtendedHeader... headers) {
        byte[] payload = new byte[payloadBytes];
        boolean asks = !opcode.operation().isResponse() && opcode.operation().ends();
        Bth bth = Bth.of(opcode, false, false, payloadBytes, Bth.DEFAULT_PKEY, qp, asks, psn);
        return new Packet(route, bth, List.of(headers), Octets.wrap(payload, 0, payloadBytes));
    }

    public MadeCapture sees(Packet... packets) {
        for (Packet packet : packets) {
            byte[] frame = FrameEncoder.encode(packet);
            frame(frame, frame.length);
        }
        return this;
    }

    /** @param originalLength on the wire, as far as the capture says */
    public MadeCapture frame(byte[] bytes, int originalLength) {
        int length = Math.min(snapBytes, bytes.length);
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        frames++;
        header.putInt(frames / 1_000_000)
                .putInt(frames % 1_000_000 * 1000)
                .putInt(length)
                .putInt(originalLength);
        out.writeBytes(header.array());
        out.write(bytes, 0, length);
        return this;
    }

    public Path in(Path folder) throws IOException {
        return Files.write(folder.resolve("made.pcap"), out.toByteArray());
    }
}
