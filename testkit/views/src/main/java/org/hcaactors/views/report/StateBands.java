// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** States over time: of queue pairs and responders, page faults, revocations of keys, queue depths. */
final class StateBands {
    private record Owner(String port, Element element) {}

    private final Lineage lineage;
    private final StringTable texts;
    private final Lanes lanes;
    private final EventColumns columns;

    StateBands(Lineage lineage, StringTable texts, Lanes lanes, EventColumns columns) {
        this.lineage = lineage;
        this.texts = texts;
        this.lanes = lanes;
        this.columns = columns;
    }

    ObjectNode toJson() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        bands(all.putArray("states"), StateBands::state);
        bands(all.putArray("sessions"), StateBands::session);
        pages(all.putArray("pages"));
        revocations(all.putArray("revocations"));
        depths(all.putArray("depths"));
        return all;
    }

    /** Adds for each lane the events and the states that begin with them. */
    private void bands(ArrayNode all, Function<TraceEvent, Optional<String>> of) {
        Map<Owner, ArrayNode> bands = new LinkedHashMap<>();
        for (TraceEvent event : lineage.events()) {
            of.apply(event)
                    .filter(state -> columns.placeFrom(event.stamp().id()) > 0)
                    .ifPresent(state -> {
                        HcaEvent inside = (HcaEvent) event;
                        ArrayNode band = bands.computeIfAbsent(
                                new Owner(inside.port(), inside.element()),
                                any -> all.addArray().add(lanes.of(event)));
                        band.add(columns.placeFrom(event.stamp().id())).add(texts.number(state));
                    });
        }
    }

    private static Optional<String> state(TraceEvent event) {
        return switch (event) {
            case HcaEvent.QueuePairCreated created -> Optional.of("RESET");
            case HcaEvent.StateChanged changed ->
                Optional.of(
                        Wording.endsSession(changed) ? "ENDED" : changed.to().name());
            default -> Optional.empty();
        };
    }

    // rule dc-handshake
    private static Optional<String> session(TraceEvent event) {
        return event instanceof HcaEvent.SessionChanged changed
                ? Optional.of(changed.step().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                : Optional.empty();
    }

    /** Adds lane, begin and end; the end is 0 if the trace ends first. */
    private void pages(ArrayNode all) {
        for (TraceEvent event : columns.shown()) {
            if (event instanceof HcaEvent.PageFaultRaised fault) {
                all.addArray()
                        .add(lanes.of(event))
                        .add(columns.place(fault.stamp().id()))
                        .add(columns.place(lineage.answer(fault)));
            }
        }
    }

    /** Adds lane, event, and 1 for a key or its pages that are gone, 0 for a key that has changed. */
    private void revocations(ArrayNode all) {
        for (TraceEvent event : columns.shown()) {
            boolean ends = event instanceof HcaEvent.KeyDeregistered
                    || event instanceof HcaEvent.BecameUndefined
                    || event instanceof HcaEvent.PagesInvalidated;
            if (ends || event instanceof HcaEvent.KeyChanged || event instanceof HcaEvent.Reregistered) {
                all.addArray()
                        .add(lanes.of(event))
                        .add(columns.place(event.stamp().id()))
                        .add(ends ? 1 : 0);
            }
        }
    }

    /** Adds for each queue its lane, its kind, and the depth from each event on. */
    private void depths(ArrayNode all) {
        QueueDepths depths = new QueueDepths();
        for (TraceEvent event : lineage.events()) {
            if (event instanceof AdapterEvent) {
                depths.note(event);
            }
        }
        for (QueueDepths.Series series : depths.series()) {
            ArrayNode line = all.addArray();
            line.add(lanes.of(series.port(), series.queue()))
                    .add(texts.number(series.what().words()));
            List<QueueDepths.Point> points = series.points();
            for (QueueDepths.Point point : points) {
                int place = columns.placeFrom(point.event());
                if (place == 0) {
                    break;
                }
                line.add(place).add(point.depth());
            }
        }
    }
}
