package org.hcaactors.adapter.flow;

import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Packet;

/** What happens inside an adapter. {@code port} is the name of the adapter's port on the fabric. */
public sealed interface HcaEvent extends AdapterEvent {

    /** @param work the request, as text: verb, length */
    record WorkPosted(Stamp stamp, String port, int qp, long workId, String work) implements HcaEvent {}

    /** A completion was written to its queue. */
    record Completed(Stamp stamp, String port, WorkCompletion completion) implements HcaEvent {}

    record StateChanged(Stamp stamp, String port, int qp, QpState from, QpState to, String why) implements HcaEvent {}

    /** @param psn where sending goes on */
    record Retransmitting(Stamp stamp, String port, int qp, int psn, String why) implements HcaEvent {}

    /** A queue pair ignored a packet. */
    record Discarded(Stamp stamp, String port, int qp, Packet packet, String why) implements HcaEvent {}

    record Raised(Stamp stamp, String port, AsyncEvent event) implements HcaEvent {}

    /** A queue pair may use a memory key from now on. */
    record LeaseGranted(Stamp stamp, String port, int qp, int key) implements HcaEvent {}

    record LeaseReleased(Stamp stamp, String port, int qp, int key) implements HcaEvent {}

    /** No packet and no request can touch the memory under this key any more. */
    record KeyTakenAway(Stamp stamp, String port, int key) implements HcaEvent {}
}
