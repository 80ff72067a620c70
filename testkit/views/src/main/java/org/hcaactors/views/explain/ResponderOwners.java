// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Wording;

/** Initiators that occupied the responders of a DC target that had none free. */
final class ResponderOwners {
    private static final int MAX_NAMED = 4;

    private final ExplanationBuilder explanation;

    ResponderOwners(ExplanationBuilder explanation) {
        this.explanation = explanation;
    }

    // rules dc-empty, dc-pool
    /** Names the initiators of this target if it has reached its own maximum, otherwise those of the whole adapter. */
    void tell(HcaEvent.Failed refusal, NoSession.NoResponder none) {
        List<HcaEvent.SessionChanged> all = List.copyOf(open(refusal).values());
        List<HcaEvent.SessionChanged> own = all.stream()
                .filter(each -> each.element().equals(refusal.element()))
                .toList();
        List<HcaEvent.SessionChanged> holders = own.size() >= none.max() ? own : all;
        if (holders.isEmpty()) {
            return;
        }
        holders.stream().limit(MAX_NAMED).forEach(explanation::show);
        String named = holders.stream().limit(MAX_NAMED).map(this::serves).collect(Collectors.joining(", "));
        int others = holders.size() - MAX_NAMED;
        explanation.say(named + (others > 0 ? ", and " + others + (others == 1 ? " other" : " others") : ""));
    }

    /** Returns the open sessions of that adapter, by responder. */
    private Map<Element, HcaEvent.SessionChanged> open(HcaEvent.Failed until) {
        Map<Element, HcaEvent.SessionChanged> open = new LinkedHashMap<>();
        for (TraceEvent event : explanation.lineage().events()) {
            if (event.stamp().id() >= until.stamp().id()) {
                break;
            }
            switch (event) {
                case HcaEvent.SessionChanged step
                when step.step() == SessionStep.OPENED && step.port().equals(until.port()) ->
                    open.put(Element.responder(step.session()), step);
                case HcaEvent.StateChanged ended
                when ended.port().equals(until.port()) && isDown(ended.to()) -> open.remove(ended.element());
                case HcaEvent.Raised lost
                when lost.port().equals(until.port()) && lost.event().kind() == AsyncEvent.Kind.DEVICE_FATAL ->
                    open.clear();
                default -> {}
            }
        }
        return open;
    }

    private static boolean isDown(QpState state) {
        return state == QpState.ERR || state == QpState.RESET;
    }

    private String serves(HcaEvent.SessionChanged opened) {
        String initiator = explanation
                .lineage()
                .cause(opened)
                .filter(FabricEvent.class::isInstance)
                .flatMap(connect -> explanation.lineage().sending((FabricEvent) connect))
                .map(sent -> sent.port() + "/" + sent.element())
                .orElse("initiator " + opened.peer());
        return "%s/%s serves %s since %s us"
                .formatted(
                        opened.port(),
                        Element.responder(opened.session()),
                        initiator,
                        Wording.micros(opened.stamp().nanos()));
    }
}
