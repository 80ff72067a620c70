package org.hcaactors.lab.invariant;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * A responder that refuses a READ or an atomic for its key tells its owner with QP_ACCESS_ERR: such a request holds no
 * receive whose completion would tell (rc-protocol 2.9).
 */
final class RefusalsTold implements Invariant {
    /** Also those that were reset since: a NAK may reach the cable after that. */
    private final Set<QpName> told = new LinkedHashSet<>();

    @Override
    public String name() {
        return "refusals-told";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        switch (event) {
            case HcaEvent.Raised raised
            when raised.event().kind() == AsyncEvent.Kind.QP_ACCESS_ERR ->
                told.add(new QpName(raised.port(), raised.event().element()));
            case FabricEvent.Sent sent
            when isRefusal(sent.packet()) ->
                known.delivery(sent.stamp().cause())
                        .map(FabricEvent.Delivered::packet)
                        .filter(RefusalsTold::holdsNoReceive)
                        .ifPresent(request ->
                                refused(new QpName(sent.port(), request.bth().destQp()), request, report));
            default -> {}
        }
    }

    private static boolean isRefusal(Packet packet) {
        return packet.opcode().transport() == TransportClass.RC
                && packet.operation() == Operation.ACKNOWLEDGE
                && packet.aeth().syndrome() == Syndrome.NAK_REMOTE_ACCESS;
    }

    private static boolean holdsNoReceive(Packet request) {
        Operation.Family family = request.operation().family();
        return family == Operation.Family.READ || family == Operation.Family.ATOMIC;
    }

    private void refused(QpName qp, Packet request, Report report) {
        if (!told.contains(qp)) {
            report.broken(
                    qp + " refuses " + request.opcode() + " psn " + request.psn() + ", and raised no QP_ACCESS_ERR");
        }
    }
}
