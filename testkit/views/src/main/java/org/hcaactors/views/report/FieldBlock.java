// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Fields that follow one another in a frame, under one title. */
sealed interface FieldBlock permits PacketFields, CmFields, CmFields.PrivateData {
    /** Format of a value. */
    enum Form {
        NUMBER,
        HEX,
        MAC,
        IPV4,
        IPV6,
        /** Bytes without a meaning of their own: their number. */
        BYTES
    }

    /**
     * A field.
     *
     * @param bits its width; it follows the field before it directly
     * @param meaning explanation for the reader
     */
    record Field(String name, int bits, Form form, String meaning) {}

    String title();

    List<Field> fields();

    default int lengthBytes() {
        return fields().stream().mapToInt(Field::bits).sum() / Byte.SIZE;
    }

    default ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("title", title());
        node.put("bytes", lengthBytes());
        ArrayNode all = node.putArray("fields");
        for (Field field : fields()) {
            all.addArray()
                    .add(field.name().strip())
                    .add(field.bits())
                    .add(field.form().name().toLowerCase(Locale.ROOT))
                    .add(field.meaning());
        }
        return node;
    }
}
