// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.ConnectionChanged;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmMessage.OfConnection;
import org.hcaactors.views.flow.Lineage;

/** Finds ends of connections of which the program waits for an answer. */
final class OpenConnections {
    private record Place(String port, int commId) {}

    private final Lineage lineage;
    private final Map<Place, ConnectionChanged> open = new LinkedHashMap<>();

    OpenConnections(Lineage lineage) {
        this.lineage = lineage;
        lineage.events().forEach(this::note);
    }

    private void note(TraceEvent event) {
        switch (event) {
            case ConnectionChanged changed -> note(changed);
            // Of an end that its program lets go, only the REJ is seen.
            case FabricEvent.Sent sent ->
                CmCodec.decode(sent.packet())
                        .filter(datagram -> datagram.message().attribute() == CmAttribute.REJ)
                        .map(datagram -> (OfConnection) datagram.message())
                        .ifPresent(reject -> open.remove(new Place(sent.port(), reject.localCommId())));
            case HcaEvent.Raised raised
            when raised.event().kind() == AsyncEvent.Kind.DEVICE_FATAL ->
                open.keySet().removeIf(place -> place.port.equals(raised.port()));
            default -> {}
        }
    }

    private void note(ConnectionChanged changed) {
        Place place = new Place(changed.port(), changed.commId());
        switch (changed.step()) {
            case ASKED, ACCEPTED -> open.put(place, changed);
            case REQUESTED, REPLIED -> {}
            case ESTABLISHED,
                    REJECTED,
                    REJECTED_BY_PEER,
                    UNANSWERED,
                    WITHDRAWN,
                    DISCONNECTING,
                    DISCONNECTED,
                    CLOSED_BY_PEER -> open.remove(place);
        }
    }

    /** Explains what each of them waits for. */
    List<Explanation> waiting() {
        return open.values().stream().map(this::explain).toList();
    }

    private Explanation explain(ConnectionChanged end) {
        ExplanationBuilder explanation = new ExplanationBuilder(lineage);
        String what = new Narrator(explanation).tellWaiting(end);
        return explanation.of(new Explanation.Subject.Connecting(end), what);
    }
}
