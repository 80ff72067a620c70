// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;

/** Converts a reason to JSON and back: its name, its components, and its sentence. An unknown name is read as its sentence. */
final class ReasonJson {
    private static final String NAME = "kind";
    private static final String WORDS = "words";
    private static final String DENIAL = "denial";

    /** Maximum depth of reasons within reasons. Writers use one level; a file may contain any number. */
    private static final int MAX_LEVELS = 2;

    private ReasonJson() {}

    static SimpleModule module() {
        return new SimpleModule("reasons")
                .addSerializer(Reason.class, new Writer())
                .addDeserializer(Reason.class, new Reader())
                .setMixInAnnotation(Denial.class, ByKind.class)
                .registerSubtypes(Denial.class.getPermittedSubclasses());
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = DENIAL)
    private interface ByKind {}

    private static final class Writer extends StdSerializer<Reason> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Reason.class);
        }

        @Override
        public void serialize(Reason reason, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeStartObject();
            out.writeStringField(NAME, ReasonNames.of(reason));
            if (reason instanceof Record) {
                for (RecordComponent component : reason.getClass().getRecordComponents()) {
                    out.writeFieldName(component.getName());
                    provider.defaultSerializeValue(value(reason, component), out);
                }
            }
            out.writeStringField(WORDS, ReasonTexts.of(reason));
            out.writeEndObject();
        }

        private static Object value(Reason reason, RecordComponent component) throws IOException {
            try {
                return component.getAccessor().invoke(reason);
            } catch (ReflectiveOperationException unreadable) {
                throw new IOException("the components of this reason cannot be read: " + reason, unreadable);
            }
        }
    }

    private static final class Reader extends StdDeserializer<Reason> {
        private static final long serialVersionUID = 1L;

        Reader() {
            super(Reason.class);
        }

        @Override
        public Reason deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return reason(in.readValueAsTree(), context, MAX_LEVELS);
        }

        /** @param levels maximum further levels of reasons within it */
        private static Reason reason(JsonNode node, DeserializationContext context, int levels) throws IOException {
            if (!node.isObject()) {
                return context.reportInputMismatch(Reason.class, "a reason must be an object");
            }
            String name = node.path(NAME).asText();
            Optional<Reason> constant = ReasonNames.constant(name);
            if (constant.isPresent()) {
                return constant.get();
            }
            Optional<Class<? extends Reason>> kind = ReasonNames.kind(name);
            Optional<?> reason = kind.isPresent() ? made(kind.get(), name, node, context, levels) : Optional.empty();
            return reason.map(Reason.class::cast)
                    .orElseGet(() -> new Reason.Unknown(node.path(WORDS).asText(name)));
        }

        /** Returns the reason; empty if a part of it is of a kind that only a later version has. */
        private static Optional<?> made(
                Class<?> kind, String name, JsonNode node, DeserializationContext context, int levels)
                throws IOException {
            RecordComponent[] components = kind.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                JsonNode value = node.path(components[i].getName());
                if (value.isMissingNode() || value.isNull()) {
                    throw new RlogFormatException(name + " without " + components[i].getName());
                }
                Optional<?> part = part(components[i], value, context, levels);
                if (part.isEmpty()) {
                    return Optional.empty();
                }
                values[i] = part.get();
            }
            try {
                return Optional.of(kind.getDeclaredConstructor(types).newInstance(values));
            } catch (ReflectiveOperationException refused) {
                throw new RlogFormatException("the reason was refused: " + refused);
            }
        }

        private static Optional<?> part(
                RecordComponent component, JsonNode value, DeserializationContext context, int levels)
                throws IOException {
            try {
                return ofType(component.getType(), value, context, levels);
            } catch (JsonMappingException wrong) {
                wrong.prependPath(component.getDeclaringRecord(), component.getName());
                throw wrong;
            }
        }

        private static Optional<?> ofType(Class<?> type, JsonNode value, DeserializationContext context, int levels)
                throws IOException {
            if (Reason.class.isAssignableFrom(type)) {
                return levels == 0 ? Optional.empty() : within(type, reason(value, context, levels - 1));
            }
            if (type == Denial.class) {
                return denial(value, context, levels);
            }
            if (type.isEnum() && value.isTextual()) {
                return Arrays.stream(type.getEnumConstants())
                        .filter(each -> ((Enum<?>) each).name().equals(value.asText()))
                        .findFirst();
            }
            return Optional.of(context.readTreeAsValue(value, type));
        }

        private static Optional<Reason> within(Class<?> type, Reason reason) throws RlogFormatException {
            if (type.isInstance(reason)) {
                return Optional.of(reason);
            }
            if (reason instanceof Reason.Unknown) {
                return Optional.empty();
            }
            throw new RlogFormatException(ReasonNames.of(reason) + " is no " + type.getSimpleName()
                    + "; only a reason of that type is allowed here");
        }

        private static Optional<?> denial(JsonNode node, DeserializationContext context, int levels)
                throws IOException {
            if (!node.has(DENIAL)) {
                throw new RlogFormatException("why lacks the field " + DENIAL);
            }
            String name = node.path(DENIAL).asText();
            for (Class<?> kind : Denial.class.getPermittedSubclasses()) {
                if (kind.getSimpleName().equals(name)) {
                    return made(kind, name, node, context, levels);
                }
            }
            return Optional.empty();
        }
    }
}
