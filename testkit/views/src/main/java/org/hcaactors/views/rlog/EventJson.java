// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.Iterator;
import java.util.Optional;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;

/** One event as a JSON object, and back. Its data are the components of the event's record. */
final class EventJson {
    private final ObjectMapper mapper = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(ValueJson.module())
            .addModule(ReasonJson.module())
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private final EventsOfVersion1 older = new EventsOfVersion1();

    ObjectMapper mapper() {
        return mapper;
    }

    /** Empty for events of a kind that the format does not name. */
    Optional<ObjectNode> toJson(TraceEvent event) {
        return EventType.of(event).map(type -> {
            ObjectNode data = mapper.valueToTree(event);
            data.remove("stamp");
            ObjectNode node = mapper.createObjectNode();
            node.put("id", event.stamp().id());
            node.put("nanos", event.stamp().nanos());
            causes(node.putArray("causes"), event.stamp());
            node.put("type", type.text());
            node.set("port", data.remove("port"));
            node.set("data", data);
            return node;
        });
    }

    /** The place tells first from second: a first cause that is not known is 0. */
    private static void causes(ArrayNode causes, Stamp stamp) {
        if (stamp.otherCause() != 0) {
            causes.add(stamp.cause()).add(stamp.otherCause());
        } else if (stamp.cause() != 0) {
            causes.add(stamp.cause());
        }
    }

    TraceEvent fromJson(JsonNode node, EventType type) throws JsonProcessingException {
        ObjectNode whole = mapper.createObjectNode();
        ObjectNode stamp = whole.putObject("stamp");
        stamp.set("id", node.path("id"));
        stamp.set("nanos", node.path("nanos"));
        Iterator<JsonNode> causes = node.path("causes").elements();
        stamp.put("cause", causes.hasNext() ? causes.next().asLong() : 0);
        stamp.put("otherCause", causes.hasNext() ? causes.next().asLong() : 0);
        whole.set("port", node.path("port"));
        node.path("data").fields().forEachRemaining(field -> whole.set(field.getKey(), field.getValue()));
        if (!whole.has(EventsOfVersion1.WHO) && !whole.has(EventsOfVersion1.HOW)) {
            older.complete(whole, type);
        }
        older.note(whole, type);
        return mapper.treeToValue(whole, type.kind());
    }
}
