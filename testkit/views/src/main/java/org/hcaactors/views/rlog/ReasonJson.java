// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Sentences;

/**
 * How a reason stands in a recorded file: its name, its components, and its sentence for people. A text alone is a reason of
 * version 1; a name that is not known is as good as its sentence.
 */
final class ReasonJson {
    private static final String NAME = "reason";
    private static final String WORDS = "words";

    private ReasonJson() {}

    static SimpleModule module() {
        return new SimpleModule("reasons")
                .addSerializer(Reason.class, new Writer())
                .addDeserializer(Reason.class, new Reader<>(Reason.class))
                .addDeserializer(GoBack.class, new Reader<>(GoBack.class))
                .addDeserializer(KeyDenied.class, new Reader<>(KeyDenied.class))
                .setMixInAnnotation(Denial.class, ByKind.class)
                .registerSubtypes(Denial.class.getPermittedSubclasses());
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "denial")
    private interface ByKind {}

    private static final class Writer extends StdSerializer<Reason> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Reason.class);
        }

        @Override
        public void serialize(Reason why, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeStartObject();
            out.writeStringField(NAME, ReasonNames.of(why));
            if (why instanceof Record) {
                for (RecordComponent component : why.getClass().getRecordComponents()) {
                    out.writeFieldName(component.getName());
                    provider.defaultSerializeValue(value(why, component), out);
                }
            }
            out.writeStringField(WORDS, Sentences.of(why));
            out.writeEndObject();
        }

        private static Object value(Reason why, RecordComponent component) throws IOException {
            try {
                return component.getAccessor().invoke(why);
            } catch (ReflectiveOperationException unreadable) {
                throw new IOException("a reason that can't be read: " + why, unreadable);
            }
        }
    }

    private static final class Reader<R extends Reason> extends StdDeserializer<R> {
        private static final long serialVersionUID = 1L;

        private final Class<R> wanted;

        Reader(Class<R> wanted) {
            super(wanted);
            this.wanted = wanted;
        }

        @Override
        public R deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Reason why = reason(in.readValueAsTree(), context);
            if (!wanted.isInstance(why)) {
                throw new RlogFormatException(
                        ReasonNames.of(why) + " where only a " + wanted.getSimpleName() + " can stand");
            }
            return wanted.cast(why);
        }

        private static Reason reason(JsonNode node, DeserializationContext context) throws IOException {
            if (node.isTextual()) {
                return SentencesOfVersion1.read(node.asText());
            }
            String name = node.path(NAME).asText();
            Optional<Reason> constant = ReasonNames.constant(name);
            if (constant.isPresent()) {
                return constant.get();
            }
            Optional<Class<? extends Reason>> kind = ReasonNames.kind(name);
            return kind.isPresent()
                    ? made(kind.get(), node, context)
                    : new Reason.Unknown(node.path(WORDS).asText(name));
        }

        private static Reason made(Class<? extends Reason> kind, JsonNode node, DeserializationContext context)
                throws IOException {
            RecordComponent[] components = kind.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                JsonNode value = node.path(components[i].getName());
                if (value.isMissingNode() || value.isNull()) {
                    throw new RlogFormatException(ReasonNames.of(kind) + " without " + components[i].getName());
                }
                values[i] = context.readTreeAsValue(value, types[i]);
            }
            try {
                return kind.getDeclaredConstructor(types).newInstance(values);
            } catch (ReflectiveOperationException refused) {
                throw new RlogFormatException("no reason: " + refused);
            }
        }
    }
}
