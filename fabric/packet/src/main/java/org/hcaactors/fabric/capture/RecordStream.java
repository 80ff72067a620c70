// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Stream of byte blocks of given sizes, in one byte order. */
final class RecordStream implements AutoCloseable {
    private final InputStream in;
    private final ByteOrder order;

    RecordStream(InputStream in, ByteOrder order) {
        this.in = in;
        this.order = order;
    }

    ByteOrder order() {
        return order;
    }

    RecordStream withOrder(ByteOrder other) {
        return new RecordStream(in, other);
    }

    /**
     * Returns exactly {@code length} bytes; empty at the end of the file.
     *
     * @throws CaptureFormatException if the file ends within them
     */
    Optional<ByteBuffer> piece(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length == 0 && length > 0) {
            return Optional.empty();
        }
        if (bytes.length < length) {
            throw new CaptureFormatException(
                    "the file ends inside a record: " + bytes.length + " of " + length + " bytes are present");
        }
        return Optional.of(ByteBuffer.wrap(bytes).order(order));
    }

    ByteBuffer required(int length) throws IOException {
        if (length < 0 || length > CaptureReader.MAX_RECORD_BYTES) {
            throw new CaptureFormatException("a record has " + Integer.toUnsignedString(length) + " bytes; at most "
                    + CaptureReader.MAX_RECORD_BYTES + " are read");
        }
        Optional<ByteBuffer> piece = piece(length);
        if (piece.isEmpty()) {
            throw new CaptureFormatException("the file ends where a record of " + length + " bytes should be");
        }
        return piece.get();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
