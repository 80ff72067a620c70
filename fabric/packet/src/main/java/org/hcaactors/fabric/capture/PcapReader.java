// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;

/** Reader of the classic pcap format, in either byte order, with timestamps in microseconds or nanoseconds. */
final class PcapReader implements CaptureReader {
    private static final int GZIP = 0x1F8B;
    private static final int MAGIC_MICROS = 0xA1B2C3D4;
    private static final int MAGIC_NANOS = 0xA1B23C4D;
    private static final int HEADER_REST = 20;
    private static final int RECORD_HEADER = 16;

    private final RecordStream stream;
    private final int nanosPerTick;
    private final int linkType;
    private int frames;

    PcapReader(RecordStream stream, int magic) throws IOException {
        this.stream = stream;
        nanosPerTick = magic == MAGIC_NANOS ? 1 : 1000;
        ByteBuffer header = stream.required(HEADER_REST);
        linkType = header.getInt(16) & 0xFFFF;
    }

    /** True if the file is compressed with gzip (RFC 1952). */
    static boolean isGzip(int magic) {
        return magic >>> Short.SIZE == GZIP;
    }

    static boolean isMagic(int value) {
        return value == MAGIC_MICROS || value == MAGIC_NANOS;
    }

    @Override
    public Optional<CapturedFrame> next() throws IOException {
        Optional<ByteBuffer> header = stream.piece(RECORD_HEADER);
        if (header.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer h = header.get();
        long seconds = Integer.toUnsignedLong(h.getInt());
        long ticks = Integer.toUnsignedLong(h.getInt());
        int captured = h.getInt();
        int original = h.getInt();
        byte[] bytes = captured == 0 ? new byte[0] : stream.required(captured).array();
        long nanos = seconds * 1_000_000_000L + ticks * nanosPerTick;
        return Optional.of(new CapturedFrame(
                ++frames,
                nanos,
                linkType,
                Octets.wrap(bytes, 0, bytes.length),
                original,
                List.of(),
                0,
                CapturedFrame.Source.UNKNOWN,
                Optional.empty()));
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
