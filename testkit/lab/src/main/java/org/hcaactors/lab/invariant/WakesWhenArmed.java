package org.hcaactors.lab.invariant;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.fabric.flow.TraceEvent;

/** An armed completion queue reports the next entry that its arm means, once (ibv_req_notify_cq(3)). */
final class WakesWhenArmed implements Invariant {
    private record CqName(String port, int number) {
        @Override
        public String toString() {
            return port + "/cq" + number;
        }
    }

    private static final class Arming {
        boolean any;
        boolean solicited;
        boolean due;
        boolean counts;
        boolean delays;

        boolean isArmed() {
            return any || solicited;
        }
    }

    private final Map<CqName, Arming> queues = new LinkedHashMap<>();
    private final Ledger ledger;

    /** @param ledger says which queues are open: one that was destroyed while its moderation ran wakes nobody */
    WakesWhenArmed(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "wakes-when-armed";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        switch (event) {
            case HcaEvent.Armed armed -> {
                Arming queue = of(armed.port(), armed.cq());
                queue.any |= armed.what() == Arm.ANY;
                queue.solicited = true;
            }
            case HcaEvent.Moderated moderated -> {
                Arming queue = of(moderated.port(), moderated.cq());
                queue.delays = !moderated.period().equals(Duration.ZERO);
                queue.counts = moderated.entries() > 0;
            }
            case HcaEvent.EntryWritten written -> {
                Arming queue = of(written.port(), written.cq());
                boolean delayed = !written.solicited() && queue.counts && !queue.delays;
                queue.due |= (queue.any && !delayed) || (queue.solicited && written.solicited());
            }
            case HcaEvent.Woken woken -> {
                Arming queue = of(woken.port(), woken.cq());
                if (!queue.isArmed()) {
                    report.broken(new CqName(woken.port(), woken.cq()) + " reports, but nobody armed it");
                }
                queue.any = false;
                queue.solicited = false;
                queue.due = false;
            }
            default -> {}
        }
    }

    private Arming of(String port, int cq) {
        return queues.computeIfAbsent(new CqName(port, cq), absent -> new Arming());
    }

    @Override
    public void atQuiet(Known known, Report report) {
        Set<CqName> open = ledger.statements(Statement.CompletionQueue.class)
                .map(queue -> new CqName(queue.adapter(), queue.number()))
                .collect(Collectors.toSet());
        queues.forEach((name, queue) -> {
            if (queue.due && open.contains(name)) {
                report.broken(name + " was armed, an entry was written, and its channel never heard of it");
            }
        });
    }
}
