// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a pcap or pcapng file record by record, in constant memory. Not safe for several threads. */
public interface CaptureReader extends AutoCloseable {
    /** The longest record read; a longer one is taken for damage. */
    int MAX_RECORD_BYTES = 1 << 20;

    /** The next frame; empty at the end; CaptureFormatException where the file is damaged. */
    Optional<CapturedFrame> next() throws IOException;

    @Override
    void close() throws IOException;

    /** Whether it begins as a capture of either format does. */
    static boolean isCapture(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] magic = stream.readNBytes(4);
            if (magic.length < 4) {
                return false;
            }
            int big = ByteBuffer.wrap(magic).getInt();
            return big == PcapngReader.SECTION_HEADER
                    || PcapReader.isMagic(big)
                    || PcapReader.isMagic(Integer.reverseBytes(big));
        }
    }

    /** Opens either format, told apart by the first four bytes. */
    static CaptureReader open(Path file) throws IOException {
        return open(new BufferedInputStream(Files.newInputStream(file)));
    }

    static CaptureReader open(InputStream stream) throws IOException {
        try {
            byte[] magic = stream.readNBytes(4);
            if (magic.length < 4) {
                throw new CaptureFormatException(
                        magic.length == 0 ? "the file is empty" : "the file ends after " + magic.length + " bytes");
            }
            int big = ByteBuffer.wrap(magic).getInt();
            int little = Integer.reverseBytes(big);
            if (big == PcapngReader.SECTION_HEADER) {
                return new PcapngReader(stream);
            }
            if (PcapReader.isMagic(big)) {
                return new PcapReader(new RecordStream(stream, ByteOrder.BIG_ENDIAN), big);
            }
            if (PcapReader.isMagic(little)) {
                return new PcapReader(new RecordStream(stream, ByteOrder.LITTLE_ENDIAN), little);
            }
            throw new CaptureFormatException("neither pcap nor pcapng: it begins with 0x%08x".formatted(big)
                    + (PcapReader.isGzip(big) ? ", as what gzip compressed" : ""));
        } catch (IOException refused) {
            stream.close();
            throw refused;
        }
    }
}
