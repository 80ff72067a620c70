// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;
import org.jspecify.annotations.Nullable;

/**
 * After an adapter restarts, none of its earlier objects has an effect: its queue pairs are in ERR or RESET at the end of that
 * instant and stay there, send nothing, access no memory and execute nothing; its keys grant no access (rule firmware-restart).
 */
final class RestartInvalidatesObjects implements Invariant {
    private static final Set<EventDetail.Plainly> RESTARTS = EnumSet.of(
            EventDetail.Plainly.FIRMWARE_RESET, EventDetail.Plainly.WARM_REBOOT, EventDetail.Plainly.POWER_CYCLE);
    /** Number of low bits of a key that vary; the bits above are the index. */
    private static final int VARIANT_BITS = 8;

    private record KeyAt(String port, int index) {
        static KeyAt of(String port, int key) {
            return new KeyAt(port, key >>> VARIANT_BITS);
        }

        @Override
        public String toString() {
            return "%s/key 0x%06x..".formatted(port, index);
        }
    }

    private final Set<QpName> queuePairs = new LinkedHashSet<>();
    private final Set<KeyAt> keys = new LinkedHashSet<>();
    /** Queue pairs from before a restart, and when it was: what happens in the same instant may have been on its way. */
    private final Map<QpName, Long> oldQueuePairs = new LinkedHashMap<>();

    private final Map<KeyAt, Long> oldKeys = new LinkedHashMap<>();

    @Override
    public String name() {
        return "restart-invalidates-objects";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class,
                HcaEvent.AtomicExecuted.class,
                HcaEvent.Completed.class,
                HcaEvent.LeaseGranted.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.QueuePairCreated.class,
                HcaEvent.Raised.class,
                HcaEvent.Registered.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.QueuePairCreated made -> queuePairs.add(QpName.of(made));
            case HcaEvent.Registered made -> {
                KeyAt key = KeyAt.of(made.port(), made.element().number());
                keys.add(key);
                oldKeys.remove(key);
            }
            case HcaEvent.Raised raised
            when raised.event().kind() == AsyncEvent.Kind.DEVICE_FATAL && isRestart(raised.reason()) ->
                restarted(raised.port(), raised.stamp().nanos());
            default -> {
                if (!oldQueuePairs.isEmpty() || !oldKeys.isEmpty()) {
                    judge(event, report);
                }
            }
        }
    }

    private static boolean isRestart(Reason reason) {
        return reason instanceof EventDetail.Plainly plainly && RESTARTS.contains(plainly);
    }

    private void restarted(String port, long nanos) {
        queuePairs.stream().filter(qp -> qp.port().equals(port)).forEach(qp -> oldQueuePairs.putIfAbsent(qp, nanos));
        queuePairs.removeIf(qp -> qp.port().equals(port));
        keys.stream().filter(key -> key.port().equals(port)).forEach(key -> oldKeys.putIfAbsent(key, nanos));
        keys.removeIf(key -> key.port().equals(port));
    }

    private void judge(TraceEvent event, Report report) {
        switch (event) {
            case FabricEvent.Sent sent ->
                dead(new QpName(sent.port(), sent.element()), event, () -> "sends " + sent.packet(), report);
            case HcaEvent.MemoryRead read -> {
                dead(QpName.of(read), event, () -> "reads memory", report);
                closed(
                        KeyAt.of(read.port(), read.key()),
                        event,
                        () -> "lets " + read.element() + " read memory",
                        report);
            }
            case HcaEvent.MemoryWritten written -> {
                dead(QpName.of(written), event, () -> "writes memory", report);
                closed(
                        KeyAt.of(written.port(), written.key()),
                        event,
                        () -> "lets " + written.element() + " write memory",
                        report);
            }
            case HcaEvent.AtomicExecuted atomic -> {
                dead(QpName.of(atomic), event, () -> "executes an atomic", report);
                closed(
                        KeyAt.of(atomic.port(), atomic.key()),
                        event,
                        () -> "lets " + atomic.element() + " execute an atomic",
                        report);
            }
            case HcaEvent.LeaseGranted lease ->
                closed(
                        KeyAt.of(lease.port(), lease.key()),
                        event,
                        () -> "lets " + lease.element() + " take a lease",
                        report);
            case HcaEvent.Completed done
            when done.completion().status() == Status.SUCCESS ->
                dead(
                        QpName.of(done.port(), done.completion().qpNumber()),
                        event,
                        () -> "completes request " + done.completion().workId() + " with SUCCESS",
                        report);
            case HcaEvent.StateChanged changed
            when !isDown(changed.to()) -> dead(QpName.of(changed), event, () -> "changes to " + changed.to(), report);
            default -> {}
        }
    }

    private static boolean isDown(QpState state) {
        return state == QpState.ERR || state == QpState.RESET;
    }

    private void dead(QpName qp, TraceEvent event, Supplier<String> what, Report report) {
        tell(oldQueuePairs.get(qp), qp, event, what, report);
    }

    private void closed(KeyAt key, TraceEvent event, Supplier<String> what, Report report) {
        tell(oldKeys.get(key), key, event, what, report);
    }

    private static void tell(
            @Nullable Long since, Object element, TraceEvent event, Supplier<String> what, Report report) {
        if (since != null && event.stamp().nanos() > since) {
            report.broken(element + " " + what.get() + " at " + event.stamp().nanos()
                    + " ns, but its adapter restarted at " + since + " ns");
        }
    }

    /**
     * A DC target has no state to fall back to: it accepts no more packets (rule dc-broken), and its responders are checked.
     */
    @Override
    public void betweenEvents(TraceState traceState, Report report) {
        oldQueuePairs.forEach((qp, since) -> traceState
                .queuePair(qp)
                .filter(facts -> !facts.isDcTarget())
                .map(QpFacts::state)
                .filter(state -> !isDown(state))
                .ifPresent(state ->
                        report.broken(qp + " is in " + state + ", but its adapter restarted at " + since + " ns")));
    }
}
