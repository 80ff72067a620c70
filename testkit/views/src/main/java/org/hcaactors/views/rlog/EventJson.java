// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;

/** Converts an event to a JSON object and back. Its data are the components of the event's record. */
final class EventJson {
    private static final int MAX_CAUSES = 2;

    /** Shared by all files: its analysis of the types takes longer than to read a short file. */
    private static final ObjectMapper MAPPER = strict(JsonMapper.builder())
            .addModule(new Jdk8Module())
            .addModule(ValueJson.module())
            .addModule(ReasonJson.module())
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private static final ObjectReader TEXTS = MAPPER.reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private EventJson() {}

    /** Refuses missing values and values of another type; Jackson's defaults would convert them. */
    private static JsonMapper.Builder strict(JsonMapper.Builder builder) {
        return builder.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(LogicalType.Textual, EventJson::nothingElse)
                .withCoercionConfig(LogicalType.Boolean, EventJson::nothingElse)
                .withCoercionConfig(
                        LogicalType.Integer,
                        config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail));
    }

    private static void nothingElse(MutableCoercionConfig config) {
        for (CoercionInputShape shape : CoercionInputShape.values()) {
            config.setCoercion(shape, CoercionAction.Fail);
        }
    }

    /** Parses a text that is exactly one JSON value. */
    static JsonNode text(String content) throws JsonProcessingException {
        return TEXTS.readTree(content);
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    /** Returns the object; empty for an event of a kind that the format does not have. */
    static Optional<ObjectNode> toJson(TraceEvent event) {
        return EventType.of(event).map(type -> {
            ObjectNode data = MAPPER.valueToTree(event);
            data.remove("stamp");
            ObjectNode node = MAPPER.createObjectNode();
            node.put("id", event.stamp().id());
            node.put("nanos", event.stamp().nanos());
            causes(node.putArray("causes"), event.stamp());
            node.put("type", type.text());
            node.set("port", data.remove("port"));
            node.set("data", data);
            return node;
        });
    }

    /** Writes the causes. Their position tells first from second: an unknown first cause is 0. */
    private static void causes(ArrayNode causes, Stamp stamp) {
        if (stamp.otherCause() != 0) {
            causes.add(stamp.cause()).add(stamp.otherCause());
        } else if (stamp.cause() != 0) {
            causes.add(stamp.cause());
        }
    }

    /** Reads time and causes, which all events have. */
    static Stamp stamp(JsonNode node) throws RlogFormatException {
        List<Long> causes = Fields.numbers(node, "causes", "causes");
        if (causes.size() > MAX_CAUSES) {
            throw new RlogFormatException(
                    "causes has " + causes.size() + " entries; at most " + MAX_CAUSES + " are allowed");
        }
        return new Stamp(
                Fields.number(node, "id", "id"),
                Fields.count(node, "nanos", "nanos"),
                causes.isEmpty() ? 0 : causes.get(0),
                causes.size() < MAX_CAUSES ? 0 : causes.get(1));
    }

    /** Returns the event; empty if a part of it is of a kind that only a later version has. */
    static Optional<TraceEvent> fromJson(JsonNode node, EventType type, Stamp stamp) throws IOException {
        ObjectNode whole = MAPPER.createObjectNode();
        Fields.object(node, "data", "data")
                .fields()
                .forEachRemaining(field -> whole.set(field.getKey(), field.getValue()));
        whole.put("port", Fields.text(node, "port", "port"));
        whole.set("stamp", MAPPER.valueToTree(stamp));
        try {
            return Optional.of(MAPPER.treeToValue(whole, type.kind()));
        } catch (JsonMappingException wrong) {
            if (EventFormatError.isOfLaterVersion(wrong)) {
                return Optional.empty();
            }
            throw EventFormatError.refusal(wrong, whole);
        }
    }
}
