// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A protobuf message, built field by field. */
final class ProtoMessage {
    private interface Field {
        void write(CodedOutputStream out) throws IOException;
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    /** Writes an integer or enum. */
    ProtoMessage number(int field, long value) {
        return field(to -> to.writeUInt64(field, value));
    }

    ProtoMessage fixed(int field, long value) {
        return field(to -> to.writeFixed64(field, value));
    }

    /** Writes a string; unpaired surrogates become question marks. */
    ProtoMessage text(int field, String value) {
        return field(to -> to.writeByteArray(field, value.getBytes(StandardCharsets.UTF_8)));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return field(to -> to.writeByteArray(field, value.bytes()));
    }

    byte[] bytes() {
        field(CodedOutputStream::flush);
        return bytes.toByteArray();
    }

    private ProtoMessage field(Field field) {
        try {
            field.write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to a byte array in memory failed", impossible);
        }
        return this;
    }
}
