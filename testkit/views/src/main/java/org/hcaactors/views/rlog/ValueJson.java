// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.views.flow.Wording;

/**
 * JSON forms of single values: bytes in hexadecimal, durations in nanoseconds, packets as the whole frame with fields for
 * searching, integers beyond 2^53 as strings, because many readers do not read such JSON numbers exactly.
 */
final class ValueJson {
    private static final long EXACT = 1L << 53;

    /** An element of a kind that this version does not know. */
    private static final Pattern LATER_ELEMENT =
            Pattern.compile("(?!(qp|cq|srq|key)\\b|(qp|cq|srq|key)\\d)[a-z]+( ?(0x)?[0-9a-f]+)?");

    private ValueJson() {}

    private static String text(JsonParser in, DeserializationContext context, Class<?> type) throws IOException {
        return in.hasToken(JsonToken.VALUE_STRING)
                ? in.getText()
                : context.reportInputMismatch(type, "it must be a string");
    }

    static SimpleModule module() {
        SimpleModule module = ValueFields.into(new SimpleModule())
                .addSerializer(Long.class, new LongWriter())
                .addSerializer(AtomicValue.class, new AtomicValueWriter())
                .addDeserializer(AtomicValue.class, new AtomicValueReader())
                .addSerializer(Long.TYPE, new LongWriter())
                .addSerializer(Octets.class, new OctetsWriter())
                .addDeserializer(Octets.class, new OctetsReader())
                .addSerializer(Packet.class, new PacketWriter())
                .addDeserializer(Packet.class, new PacketReader())
                .addSerializer(Element.class, new ElementWriter())
                .addDeserializer(Element.class, new ElementReader())
                .addSerializer(Duration.class, new NanosWriter())
                .addDeserializer(Duration.class, new NanosReader())
                .setMixInAnnotation(WorkRequest.class, ByVerb.class)
                .setMixInAnnotation(QpAttribute.class, ByAttribute.class);
        return module.registerSubtypes(
                        Send.class,
                        RdmaWrite.class,
                        RdmaRead.class,
                        CompareAndSwap.class,
                        FetchAdd.class,
                        MaskedCompareAndSwap.class,
                        MaskedFetchAdd.class,
                        LocalInvalidate.class,
                        BindWindow.class,
                        FillKey.class)
                .registerSubtypes(QpAttribute.class.getPermittedSubclasses());
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "verb")
    private interface ByVerb {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "attribute")
    private interface ByAttribute {}

    private static final class LongWriter extends StdSerializer<Long> {
        private static final long serialVersionUID = 1L;

        LongWriter() {
            super(Long.class);
        }

        @Override
        public void serialize(Long value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value >= -EXACT && value <= EXACT) {
                out.writeNumber(value);
            } else {
                out.writeString(Long.toString(value));
            }
        }
    }

    /** Eight bytes are written as an integer, other sizes as hexadecimal digits with leading zeros. */
    private static final class AtomicValueWriter extends StdSerializer<AtomicValue> {
        private static final long serialVersionUID = 1L;

        AtomicValueWriter() {
            super(AtomicValue.class);
        }

        @Override
        public void serialize(AtomicValue value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value.sizeBytes() == Long.BYTES) {
                provider.defaultSerializeValue(value.toLong(), out);
            } else {
                out.writeString(value.toString());
            }
        }
    }

    private static final class AtomicValueReader extends StdDeserializer<AtomicValue> {
        private static final long serialVersionUID = 1L;
        private static final String HEXADECIMAL = "0x";
        private static final int HALF = 2 * Integer.BYTES;
        private static final int WORD = 2 * Long.BYTES;

        AtomicValueReader() {
            super(AtomicValue.class);
        }

        @Override
        public AtomicValue deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (in.hasToken(JsonToken.VALUE_NUMBER_INT)) {
                return AtomicValue.ofLong(in.getLongValue());
            }
            String text = text(in, context, AtomicValue.class);
            try {
                return text.startsWith(HEXADECIMAL)
                        ? digits(text.substring(HEXADECIMAL.length()))
                        : AtomicValue.ofLong(Long.parseLong(text));
            } catch (IllegalArgumentException wrong) {
                throw new JsonMappingException(in, "it must be a number, or 0x and 8, 16, 32 ... 512 digits");
            }
        }

        private static AtomicValue digits(String digits) {
            if (digits.length() == HALF) {
                return AtomicValue.ofInt(Integer.parseUnsignedInt(digits, 16));
            }
            if (digits.isEmpty() || digits.length() % WORD != 0) {
                throw new IllegalArgumentException(digits);
            }
            long[] words = new long[digits.length() / WORD];
            Arrays.setAll(words, i -> Long.parseUnsignedLong(digits, i * WORD, (i + 1) * WORD, 16));
            return AtomicValue.ofWords(words);
        }
    }

    private static final class OctetsWriter extends StdSerializer<Octets> {
        private static final long serialVersionUID = 1L;

        OctetsWriter() {
            super(Octets.class);
        }

        @Override
        public void serialize(Octets value, JsonGenerator out, SerializerProvider provider) throws IOException {
            byte[] bytes = new byte[value.length()];
            value.copyTo(bytes, 0);
            out.writeString(HexFormat.of().formatHex(bytes));
        }
    }

    private static final class OctetsReader extends StdDeserializer<Octets> {
        private static final long serialVersionUID = 1L;

        OctetsReader() {
            super(Octets.class);
        }

        @Override
        public Octets deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Octets.copyOf(HexFormat.of().parseHex(text(in, context, Octets.class)));
        }
    }

    /** Writes the whole frame, with fields for searching. */
    private static final class PacketWriter extends StdSerializer<Packet> {
        private static final long serialVersionUID = 1L;

        PacketWriter() {
            super(Packet.class);
        }

        @Override
        public void serialize(Packet packet, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeStartObject();
            out.writeStringField("opcode", packet.opcode().name());
            out.writeNumberField("destQp", packet.bth().destQp());
            out.writeNumberField("psn", packet.psn());
            out.writeStringField("summary", Wording.of(packet));
            out.writeNumberField("flowLabel", packet.route().flowLabel());
            out.writeStringField("frame", HexFormat.of().formatHex(FrameEncoder.encode(packet)));
            out.writeEndObject();
        }
    }

    private static final class PacketReader extends StdDeserializer<Packet> {
        private static final long serialVersionUID = 1L;

        PacketReader() {
            super(Packet.class);
        }

        @Override
        public Packet deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonNode node = in.readValueAsTree();
            if (!node.path("frame").isTextual()) {
                throw new JsonMappingException(in, "a packet must have a frame, its bytes in hexadecimal");
            }
            byte[] bytes = HexFormat.of().parseHex(node.path("frame").textValue());
            Packet packet = decoded(in, bytes);
            // An IPv4 header has no flow label.
            JsonNode label = node.path("flowLabel");
            if (!label.canConvertToExactIntegral()) {
                throw new JsonMappingException(in, "its flowLabel must be an integer");
            }
            return packet.withRoute(packet.route().withFlowLabel(label.asInt()));
        }

        private static Packet decoded(JsonParser in, byte[] bytes) throws JsonMappingException {
            return switch (FrameDecoder.decode(bytes, LinkLayer.ETHERNET)) {
                case Decoded.Frame good -> good.frame().packet();
                case Decoded.Truncated cut ->
                    throw new JsonMappingException(
                            in, "its frame lacks " + cut.frame().missing());
                case Decoded.NotRoce other ->
                    throw new JsonMappingException(in, "its frame is no RoCEv2 packet: " + other.what());
                case Decoded.Malformed other
                when other.problem() == Decoded.Problem.UNKNOWN_OPCODE ->
                    throw new LaterKindException(in, other.detail());
                case Decoded.Malformed other ->
                    throw new JsonMappingException(in, "its frame is no RoCEv2 packet: " + other.detail());
            };
        }
    }

    private static final class ElementWriter extends StdSerializer<Element> {
        private static final long serialVersionUID = 1L;

        ElementWriter() {
            super(Element.class);
        }

        @Override
        public void serialize(Element element, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(element.toString());
        }
    }

    private static final class ElementReader extends StdDeserializer<Element> {
        private static final long serialVersionUID = 1L;

        ElementReader() {
            super(Element.class);
        }

        @Override
        public Element deserialize(JsonParser in, DeserializationContext context) throws IOException {
            String text = text(in, context, Element.class);
            Optional<Element> known = Element.parse(text);
            if (known.isEmpty() && LATER_ELEMENT.matcher(text).matches()) {
                throw new LaterKindException(in, text);
            }
            return known.orElseThrow(() -> new JsonMappingException(
                    in, "it must name a part of an adapter, such as qp17, cq3, srq2 or key 0x00000200"));
        }
    }

    private static final class NanosWriter extends StdSerializer<Duration> {
        private static final long serialVersionUID = 1L;

        NanosWriter() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeNumber(value.toNanos());
        }
    }

    private static final class NanosReader extends StdDeserializer<Duration> {
        private static final long serialVersionUID = 1L;

        NanosReader() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (!in.hasToken(JsonToken.VALUE_NUMBER_INT)) {
                throw new JsonMappingException(in, "it must be a number of nanoseconds");
            }
            return Duration.ofNanos(in.getLongValue());
        }
    }
}
