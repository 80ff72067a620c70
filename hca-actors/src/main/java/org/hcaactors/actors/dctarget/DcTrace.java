// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.OptionalInt;
import org.hcaactors.actors.queue.QueuePairLinks;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Packet;

/** Recorder of a DC target's events in the adapter's trace; its responders record their own. */
record DcTrace(AdapterTrace trace, Element element) {
    DcTrace(AdapterTrace trace, int number) {
        this(trace, Element.queuePair(number));
    }

    void created(DcTargetBlueprint of) {
        if (trace.enabled()) {
            QueuePairLinks links = of.links();
            OptionalInt srq = links.shared();
            trace.record(
                    0,
                    at -> new HcaEvent.QueuePairCreated(
                            at, trace.port(), element, QpType.DC_TGT, of.domain(), 0, links.recvCqNumber(), srq));
        }
    }

    void modified(QpModify change, QpState from) {
        if (trace.enabled()) {
            long id = trace.record(0, at -> new HcaEvent.Modified(at, trace.port(), element, change));
            trace.record(
                    id,
                    at -> new HcaEvent.StateChanged(
                            at, trace.port(), element, from, change.target(), StateReason.MODIFIED));
        }
    }

    /** Returns the event's id, 0 if nothing is traced. */
    long step(long cause, SessionStep step, Packet packet, int session) {
        return trace.enabled()
                ? trace.record(
                        cause,
                        at -> new HcaEvent.SessionChanged(
                                at,
                                trace.port(),
                                element,
                                step,
                                packet.route().source(),
                                packet.dcEth().sender(),
                                session))
                : 0;
    }

    /** Records a failure. Returns the event's id, 0 if nothing is traced. */
    long failed(long cause, Reason reason) {
        return trace.enabled() ? trace.record(cause, at -> new HcaEvent.Failed(at, trace.port(), element, reason)) : 0;
    }

    void dropped(Packet packet, long cause, Reason reason) {
        if (trace.enabled()) {
            trace.record(cause, at -> new HcaEvent.Discarded(at, trace.port(), element, packet, reason));
        }
    }
}
