// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent.Disturbed.How;

/**
 * What events of version 1 lack: there, each type called what it is about after its kind, a packet's sender had to be told from
 * what it was sent for, and all keys were of one kind.
 */
final class EventsOfVersion1 {
    static final String WHO = "who";
    static final String HOW = "how";

    /** Of a packet that was sent for something that is not in the file. */
    private static final Element NOBODY_KNOWS = Element.queuePair(0);

    /** Whom each event was about: of a packet that came in, its receiver. */
    private final Map<Long, Element> subjects = new HashMap<>();

    /** Remembers what packets may have been sent for. */
    void note(ObjectNode event, EventType type) {
        long id = event.path("stamp").path("id").asLong();
        switch (type) {
            case WORK_POSTED, LEASE_GRANTED ->
                Element.parse(event.path(WHO).asText()).ifPresent(who -> subjects.put(id, who));
            case DELIVERED -> subjects.put(id, receiver(event));
            default -> {}
        }
    }

    private static Element receiver(JsonNode event) {
        return Element.queuePair(event.path("packet").path("destQp").asInt());
    }

    void complete(ObjectNode event, EventType type) {
        switch (type) {
            case SENT -> {
                long cause = event.path("stamp").path("cause").asLong();
                event.put(WHO, subjects.getOrDefault(cause, NOBODY_KNOWS).toString());
            }
            case REGISTERED -> {
                named(event, Element.Kind.KEY, "key");
                event.put("kind", HcaEvent.KeyKind.MEMORY_REGION.name());
                event.putArray("parents");
            }
            case KEY_TAKEN_AWAY -> named(event, Element.Kind.KEY, "key");
            case SHARED_RECEIVE_POSTED -> named(event, Element.Kind.SHARED_RECEIVE_QUEUE, "srq");
            case COMPLETED, ENTRY_WRITTEN, ENTRIES_TAKEN, ENTRIES_RETURNED, ARMED, MODERATED, WOKEN ->
                named(event, Element.Kind.COMPLETION_QUEUE, "cq");
            case QUEUE_PAIR_CREATED,
                    MODIFIED,
                    STATE_CHANGED,
                    WORK_POSTED,
                    RECEIVE_POSTED,
                    REQUEST_DROPPED,
                    RETRANSMITTING,
                    BACKED_OFF,
                    FAILED,
                    GAVE_UP,
                    DISCARDED,
                    MEMORY_READ,
                    MEMORY_WRITTEN,
                    ATOMIC_EXECUTED,
                    LEASE_GRANTED,
                    LEASE_RELEASED -> named(event, Element.Kind.QUEUE_PAIR, "qp");
            case CORRUPTED -> {
                if (!event.has("by")) {
                    by(event.path("what").asText()).ifPresent(rule -> event.put("by", rule));
                }
            }
            case DISTURBED -> event.put(HOW, how(event.path("what").asText()).name());
            case DELIVERED, DROPPED, FORGED, RAISED, STRUCK -> {}
        }
    }

    private static Optional<String> by(String what) {
        int by = what.indexOf(" by ");
        return by < 0 ? Optional.empty() : Optional.of(what.substring(by + " by ".length()));
    }

    private static How how(String what) {
        return switch (what.split(" ", 2)[0]) {
            case "delayed" -> How.DELAYED;
            case "duplicated" -> How.DUPLICATED;
            case "replaced" -> How.REPLACED;
            default -> How.REORDERED;
        };
    }

    private static void named(ObjectNode event, Element.Kind kind, String number) {
        event.put(WHO, new Element(kind, event.path(number).asInt()).toString());
    }
}
