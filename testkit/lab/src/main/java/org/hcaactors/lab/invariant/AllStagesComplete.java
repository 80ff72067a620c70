// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.notify.WaiterActor;
import org.hcaactors.actors.srq.SharedReceiveActor;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Invariant: when the world is idle, every stage that a verb returned is done, unless its event may still happen: a request
 * that its queue pair still holds, the next event for a caller that waits for one, or a message for a reader whose queue is
 * open. Pools, endpoints and readers count as verbs, too. Once the world is closed, every stage is done.
 */
final class AllStagesComplete implements Invariant {
    private final ResourceLedger ledger;

    AllStagesComplete(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "all-stages-complete";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of();
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        // Only the stages that are left count.
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        Map<String, Integer> requests = new LinkedHashMap<>();
        for (ResourceLedger.Promise open : ledger.open()) {
            switch (open.verb()) {
                case WorkRequest work -> requests.merge(open.by().path(), 1, Integer::sum);
                case StageTracking.TrackedStage tracked
                when !open.by().isClosed() && tracked.mayWait().getAsBoolean() -> {}
                case SharedReceiveActor.AwaitEnd wait when !open.by().isClosed() -> {}
                case EventQueueActor.Next<?> next when !open.by().isClosed() -> {}
                case WaiterActor.Await wait when !open.by().isClosed() -> {}
                default -> report.broken(openStageText(open) + " is incomplete, and no event can complete it any more");
            }
        }
        Map<String, Integer> held = requests.isEmpty() ? Map.of() : held();
        requests.forEach((queuePair, stages) -> {
            int has = held.getOrDefault(lastTwo(queuePair), 0);
            if (stages > has) {
                report.broken(stages + " stages wait for requests of " + queuePair + ", but it has only " + has
                        + " requests");
            }
        });
    }

    /** Returns the number of requests that each queue pair holds, by adapter and actor. */
    private Map<String, Integer> held() {
        Map<String, Integer> held = new LinkedHashMap<>();
        ledger.statements(ResourceSnapshot.QueuePair.class)
                .forEach(each -> held.merge(
                        each.adapter() + "/qp-" + each.number(), each.waiting() + each.started(), Integer::sum));
        return held;
    }

    /** Returns adapter and actor, the last two elements of a path. */
    private static String lastTwo(String path) {
        return path.substring(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
    }

    @Override
    public void atEnd(Report report) {
        ledger.open().forEach(open -> report.broken(openStageText(open) + " was incomplete when the world was closed"));
    }

    private static String openStageText(ResourceLedger.Promise open) {
        return "the stage of " + open.verb() + " by " + open.by().path();
    }
}
