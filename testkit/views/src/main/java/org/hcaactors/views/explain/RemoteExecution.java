// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.views.flow.Lineage;

/**
 * Finds out whether a peer executed a request, whatever its completion says. If the program posts such a request again, it is
 * executed twice.
 */
final class RemoteExecution {
    private final Lineage lineage;

    RemoteExecution(Lineage lineage) {
        this.lineage = lineage;
    }

    /** Returns the time in nanoseconds; empty for a READ, which changes nothing. */
    Optional<Long> at(HcaEvent.WorkPosted posted) {
        return lineage.conversation(posted.element().number()).stream()
                .filter(sent -> isEnd(sent)
                        && lineage.posting(sent).filter(posted::equals).isPresent())
                .flatMap(sent -> lineage.fates(sent).stream())
                .filter(FabricEvent.Delivered.class::isInstance)
                .flatMap(arrival -> lineage.consequences(arrival).stream())
                .filter(RemoteExecution::isDone)
                .map(effect -> effect.stamp().nanos())
                .findFirst();
    }

    /** True for the last packet of a request. */
    private static boolean isEnd(FabricEvent.Sent sent) {
        Operation operation = sent.packet().operation();
        return !operation.isResponse()
                && (operation.place() == Operation.Place.LAST || operation.place() == Operation.Place.ONLY);
    }

    private static boolean isDone(TraceEvent effect) {
        return switch (effect) {
            case HcaEvent.AtomicExecuted atomic -> true;
            case HcaEvent.MemoryWritten written -> written.remote();
            case HcaEvent.Completed received -> received.completion().isSuccess();
            default -> false;
        };
    }
}
