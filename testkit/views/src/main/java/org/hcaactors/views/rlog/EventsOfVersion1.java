// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.FabricEvent.Disturbed.How;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * What events of version 1 lack: there, each type called what it is about after its kind, a packet's sender had to be told from
 * what it was sent for, and all keys were of one kind.
 */
final class EventsOfVersion1 {
    private static final String WHO = "who";
    private static final String SHIFT = "shift";
    private static final String HOW = "how";
    private static final String BY = "by";

    /** Of a packet that was sent for something that is not in the file. */
    private static final Element NOBODY_KNOWS = Element.queuePair(0);

    /** Whom each event was about: of a packet that came in, its receiver. */
    private final Map<Long, Element> subjects = new HashMap<>();

    /** Remembers what packets may have been sent for. */
    void note(TraceEvent event) {
        long id = event.stamp().id();
        switch (event) {
            case HcaEvent.WorkPosted posted -> subjects.put(id, posted.who());
            case HcaEvent.LeaseGranted granted -> subjects.put(id, granted.who());
            case FabricEvent.Delivered in ->
                subjects.put(id, Element.queuePair(in.packet().bth().destQp()));
            default -> {}
        }
    }

    void complete(ObjectNode event, EventType type, Stamp stamp) throws RlogFormatException {
        switch (type) {
            case SENT -> {
                event.put(
                        WHO, subjects.getOrDefault(stamp.cause(), NOBODY_KNOWS).toString());
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
            case DELIVERED, DROPPED, CORRUPTED, DISTURBED, FORGED, RAISED, STRUCK -> {}
        }
    }

    /** What the first files of version 2 had in words only, too. */
    void readWords(ObjectNode event, EventType type) {
        String what = event.path("what").asText();
        if (type == EventType.CORRUPTED && !event.has(BY)) {
            by(what).ifPresent(rule -> event.put(BY, rule));
        }
        if (type == EventType.REGISTERED && !event.has(SHIFT)) {
            event.put(SHIFT, 0);
        }
        if (type == EventType.DISTURBED && !event.has(HOW)) {
            event.put(HOW, how(what).name());
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

    private static void named(ObjectNode event, Element.Kind kind, String field) throws RlogFormatException {
        long number = Fields.number(event, field, "data." + field);
        event.put(WHO, new Element(kind, (int) number).toString());
    }
}
