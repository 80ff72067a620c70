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
 * Every stage that a verb gave out has ended at rest, unless what it waits for may still come: a request that its queue pair
 * still has, an event for whoever asked for the next one, or a message for who reads, as long as the queue is there. Verbs are what is
 * built on them, too: pools, endpoints and readers. Once the world is closed, all have.
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
    public void on(TraceEvent event, TraceState known, Report report) {
        // What ends is known by what is left.
    }

    @Override
    public void whenIdle(TraceState known, Report report) {
        Map<String, Integer> requests = new LinkedHashMap<>();
        for (ResourceLedger.Promise open : ledger.open()) {
            switch (open.verb()) {
                case WorkRequest work -> requests.merge(open.by().path(), 1, Integer::sum);
                case StageTracking.TrackedStage owed
                when !open.by().isClosed() && owed.mayWait().getAsBoolean() -> {}
                case SharedReceiveActor.AwaitEnd wait when !open.by().isClosed() -> {}
                case EventQueueActor.Next<?> next when !open.by().isClosed() -> {}
                case WaiterActor.Await wait when !open.by().isClosed() -> {}
                default -> report.broken(told(open) + " waits, and nothing can end it any more");
            }
        }
        Map<String, Integer> held = requests.isEmpty() ? Map.of() : held();
        requests.forEach((queuePair, stages) -> {
            int has = held.getOrDefault(lastTwo(queuePair), 0);
            if (stages > has) {
                report.broken(stages + " stages wait for requests of " + queuePair + ", which has " + has);
            }
        });
    }

    /** Requests that each queue pair has, by adapter and actor. */
    private Map<String, Integer> held() {
        Map<String, Integer> held = new LinkedHashMap<>();
        ledger.statements(ResourceSnapshot.QueuePair.class)
                .forEach(each -> held.merge(
                        each.adapter() + "/qp-" + each.number(), each.waiting() + each.started(), Integer::sum));
        return held;
    }

    /** Adapter and actor at the end of a path. */
    private static String lastTwo(String path) {
        return path.substring(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
    }

    @Override
    public void atEnd(Report report) {
        ledger.open().forEach(open -> report.broken(told(open) + " was left waiting when the world was closed"));
    }

    private static String told(ResourceLedger.Promise open) {
        return "the stage of " + open.verb() + " by " + open.by().path();
    }
}
