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

/** Reader of a pcap or pcapng file, record by record, in constant memory. Not thread-safe. */
public interface CaptureReader extends AutoCloseable {
    /** Longest record that is read; a longer one is treated as damage. */
    int MAX_RECORD_BYTES = 1 << 20;

    /**
     * Returns the next frame; empty at the end of the file.
     *
     * @throws CaptureFormatException if the file is damaged
     */
    Optional<CapturedFrame> next() throws IOException;

    @Override
    void close() throws IOException;

    /** True if the file begins with the magic number of either format. */
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

    /** Opens a file of either format; the first four bytes decide which. */
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
            throw new CaptureFormatException("the file is neither pcap nor pcapng: it begins with 0x%08x".formatted(big)
                    + (PcapReader.isGzip(big) ? ", as gzip does; decompress it first" : ""));
        } catch (IOException refused) {
            stream.close();
            throw refused;
        }
    }
}
