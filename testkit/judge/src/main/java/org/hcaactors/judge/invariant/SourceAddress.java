// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A queue pair sends from an address that its port's GID table has now, or from the unspecified address if its entry was
 * removed (rule qp-source-by-index).
 */
final class SourceAddress implements Invariant {
    /** A GID table, the table before it, and since when it may be in force. */
    private record Seen(List<Gid> now, List<Gid> before, long sinceNanos) {}

    private final Map<String, Seen> tables = new LinkedHashMap<>();

    @Override
    public String name() {
        return "source-address";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(FabricEvent.Sent.class, HcaEvent.Raised.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        if (event instanceof FabricEvent.Sent sent) {
            traceState
                    .port(sent.port())
                    .map(PortAttributes::gidTable)
                    .ifPresent(now ->
                            sent(sent, seen(sent.port(), now, sent.stamp().nanos()), traceState, report));
        } else if (event instanceof HcaEvent.Raised raised && raised.event().kind() == AsyncEvent.Kind.GID_CHANGE) {
            traceState
                    .port(raised.port())
                    .ifPresent(now ->
                            seen(raised.port(), now.gidTable(), raised.stamp().nanos()));
        }
    }

    /**
     * Returns the table in force. A change is seen by a packet sent under it or by a GID_CHANGE event, since no packet may be
     * sent between two changes.
     */
    private Seen seen(String port, List<Gid> now, long nanos) {
        Seen seen = tables.get(port);
        if (seen == null || seen.now != now && !seen.now.equals(now)) {
            seen = new Seen(now, seen == null ? now : seen.now, nanos);
            tables.put(port, seen);
        }
        return seen;
    }

    private static void sent(FabricEvent.Sent sent, Seen seen, TraceState traceState, Report report) {
        PortAddress source = sent.packet().route().source();
        // A packet on its way to the cable when the table changed, in the same instant, has an address of the table
        // before.
        boolean usable = has(seen.now, source) || sent.stamp().nanos() == seen.sinceNanos && has(seen.before, source);
        boolean isOwn = isOwn(sent, traceState);
        if (!usable && isOwn && !source.isUnspecified()) {
            report.broken(sent.port() + " sends " + sent.packet().opcode() + " psn "
                    + sent.packet().psn() + " from " + source + ", which its GID table does not have");
        }
    }

    private static boolean isOwn(FabricEvent.Sent sent, TraceState traceState) {
        Optional<?> posting = traceState.posting(sent.stamp().cause());
        return posting.isPresent() || traceState.delivery(sent.stamp().cause()).isPresent();
    }

    private static boolean has(List<Gid> table, PortAddress address) {
        for (Gid gid : table) {
            if (gid.high() == address.high() && gid.low() == address.low()) {
                return true;
            }
        }
        return false;
    }
}
