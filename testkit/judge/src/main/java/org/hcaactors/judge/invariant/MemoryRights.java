// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Filling;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.invariant.XrcFacts;

/**
 * No byte outside a granted, unrevoked range is read or written, none without the required access right, and none after the
 * verb that revoked the right has completed; no lease outlives that verb (rules memory-right-of-verb, memory-deregister,
 * memory-reregister).
 */
final class MemoryRights implements Invariant {
    private record KeyAt(String port, int key) {}

    private final Set<KeyAt> undefinedKeys = new LinkedHashSet<>();
    private final Map<KeyAt, Map<Element, Integer>> leases = new LinkedHashMap<>();

    @Override
    public String name() {
        return "memory-rights";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.AtomicExecuted.class,
                HcaEvent.BecameUndefined.class,
                HcaEvent.KeyChanged.class,
                HcaEvent.KeyFilled.class,
                HcaEvent.KeyDeregistered.class,
                HcaEvent.LeaseGranted.class,
                HcaEvent.LeaseReleased.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.Registered.class,
                HcaEvent.Reregistered.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.MemoryRead read -> check(Use.of(read), traceState, report);
            case HcaEvent.MemoryWritten write -> check(Use.of(write), traceState, report);
            case HcaEvent.AtomicExecuted atomic -> check(Use.of(atomic, traceState), traceState, report);
            default -> keys(event, traceState, report);
        }
    }

    /** Tracks the keys, and their leases. */
    private void keys(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.LeaseGranted lease -> count(lease.port(), lease.key(), lease.element(), 1);
            case HcaEvent.LeaseReleased lease -> count(lease.port(), lease.key(), lease.element(), -1);
            case HcaEvent.KeyDeregistered taken ->
                takenAway(new KeyAt(taken.port(), taken.element().number()), traceState, report);
            case HcaEvent.KeyChanged changed -> changed(changed, report);
            case HcaEvent.KeyFilled filled ->
                noLease(new KeyAt(filled.port(), filled.element().number()), "shows other memory", report);
            case HcaEvent.Reregistered reregistered ->
                noLease(new KeyAt(reregistered.port(), reregistered.element().number()), "is reregistered", report);
            case HcaEvent.BecameUndefined lost -> {
                KeyAt key = new KeyAt(lost.port(), lost.element().number());
                noLease(key, "is undefined", report);
                undefinedKeys.add(key);
            }
            case HcaEvent.Registered registered ->
                undefinedKeys.remove(
                        new KeyAt(registered.port(), registered.element().number()));
            default -> {}
        }
    }

    /** One access to memory. */
    private record Use(
            String port,
            Element element,
            int key,
            long address,
            int lengthBytes,
            Optional<Access> right,
            String verb,
            long cause,
            int depth) {
        private static final int DEEPEST = 8;

        Use(
                String port,
                Element element,
                int key,
                long address,
                int lengthBytes,
                Optional<Access> right,
                String verb,
                long cause) {
            this(port, element, key, address, lengthBytes, right, verb, cause, DEEPEST);
        }

        static Use of(HcaEvent.MemoryRead read) {
            Optional<Access> right = read.remote() ? Optional.of(Access.REMOTE_READ) : Optional.empty();
            Element element = read.element();
            long cause = read.stamp().cause();
            return new Use(read.port(), element, read.key(), read.address(), read.lengthBytes(), right, "reads", cause);
        }

        static Use of(HcaEvent.MemoryWritten write) {
            Optional<Access> right = Optional.of(write.remote() ? Access.REMOTE_WRITE : Access.LOCAL_WRITE);
            Element element = write.element();
            int count = write.bytes().length();
            long cause = write.stamp().cause();
            return new Use(write.port(), element, write.key(), write.address(), count, right, "writes", cause);
        }

        /** Returns the access of an atomic. A tunneled atomic arrives in a WRITE, so it needs remote write. */
        static Use of(HcaEvent.AtomicExecuted atomic, TraceState traceState) {
            boolean written = traceState
                    .delivery(atomic.stamp().cause())
                    .filter(arrival -> arrival.packet().operation().isWrite())
                    .isPresent();
            Optional<Access> right = Optional.of(written ? Access.REMOTE_WRITE : Access.REMOTE_ATOMIC);
            Element element = atomic.element();
            return new Use(
                    atomic.port(),
                    element,
                    atomic.key(),
                    atomic.address(),
                    atomic.after().sizeBytes(),
                    right,
                    "changes",
                    atomic.stamp().cause());
        }

        /** Returns the part of this access that the indirect key translates to that run, under the run's key. */
        Use through(Filling.Run run) {
            return new Use(port, element, run.key(), run.address(), run.count(), right, verb, cause, depth - 1);
        }

        @Override
        public String toString() {
            return "%s/%s %s %d bytes at 0x%x under key 0x%08x"
                    .formatted(port, element, verb, lengthBytes, address, key);
        }

        boolean isRemote() {
            return right.filter(needed -> needed != Access.LOCAL_WRITE).isPresent();
        }
    }

    private void check(Use use, TraceState traceState, Report report) {
        Optional<HcaEvent.Registered> found = traceState.key(use.port, use.key);
        if (found.isEmpty()) {
            report.broken(use + ", which was never registered");
            return;
        }
        HcaEvent.Registered region = found.get();
        if (undefinedKeys.contains(new KeyAt(use.port, use.key))) {
            report.broken(use + " after the key was deregistered or became undefined");
        }
        if (region.kind() == HcaEvent.KeyKind.INDIRECT_KEY) {
            checkParts(use, traceState, report);
            traceState
                    .queuePair(new QpName(use.port, use.element))
                    .ifPresent(qp -> checkQueuePair(use, qp, region, traceState, report));
            return;
        }
        long offset = use.address - region.address();
        boolean outside = offset < 0 || use.lengthBytes > region.lengthBytes() - offset;
        // rule memory-null: any address is allowed
        if (outside && region.kind() != HcaEvent.KeyKind.NULL_REGION) {
            report.broken("%s, which covers 0x%x and %d bytes".formatted(use, region.address(), region.lengthBytes()));
        }
        use.right
                .filter(needed -> !region.rights().allows(needed))
                .ifPresent(needed -> report.broken(use + ", which lacks " + needed));
        traceState
                .queuePair(new QpName(use.port, use.element))
                .ifPresent(qp -> checkQueuePair(use, qp, region, traceState, report));
        traceState.windowMapping(use.port, use.key).ifPresent(window -> checkWindow(use, window, traceState, report));
    }

    // rules window-user, window-use
    private void checkWindow(Use use, HcaEvent.KeyMapping window, TraceState traceState, Report report) {
        if (!use.isRemote()) {
            report.broken(use + ", which belongs to a window");
        }
        window.queuePair().stream()
                .filter(tiedTo -> !Element.queuePair(tiedTo).equals(use.element))
                .forEach(tiedTo -> report.broken(use + ", which is tied to qp" + tiedTo));
        window.parent()
                .flatMap(parent -> traceState.key(use.port, parent.number()))
                .ifPresent(region -> {
                    if (undefinedKeys.contains(
                            new KeyAt(use.port, region.element().number()))) {
                        report.broken(use + ", whose region was deregistered");
                    }
                    long offset = use.address - window.address() + window.behind() - region.address();
                    if (offset < 0 || use.lengthBytes > region.lengthBytes() - offset) {
                        report.broken(use + ", beyond its region");
                    }
                });
    }

    // rules window-bind, window-invalidate
    private void changed(HcaEvent.KeyChanged changed, Report report) {
        KeyAt before = new KeyAt(changed.port(), changed.before().number());
        KeyAt after = new KeyAt(changed.port(), changed.element().number());
        noLease(before, "shows other memory", report);
        undefinedKeys.add(before);
        undefinedKeys.remove(after);
    }

    // rules indirect-rights, indirect-translation
    private void checkParts(Use use, TraceState traceState, Report report) {
        Optional<Filling> filled = traceState.fillings().of(use.port, use.key);
        if (filled.isEmpty()) {
            report.broken(use + ", which shows no memory");
            return;
        }
        Filling full = filled.get();
        long shown = full.lengthBytes();
        if (use.address < 0 || use.lengthBytes > shown - use.address) {
            report.broken(use + ", which shows " + shown + " bytes");
            return;
        }
        use.right
                .filter(needed -> !full.rights().allows(needed))
                .ifPresent(needed -> report.broken(use + ", which lacks " + needed + " in its own rights"));
        if (use.depth == 0) {
            report.broken(use + ", through more nested keys than an adapter allows");
            return;
        }
        full.runs(use.address, use.lengthBytes).forEach(run -> check(use.through(run), traceState, report));
    }

    private static void checkQueuePair(
            Use use, QpFacts qp, HcaEvent.Registered region, TraceState traceState, Report report) {
        if (qp.created().transport() == QpType.XRC_TGT) {
            checkNamed(use, region, traceState, report);
        } else if ((use.isRemote() || qp.created().srq().isEmpty())
                && qp.created().domain() != region.domain()) {
            report.broken(use + " of protection domain " + region.domain() + "; the queue pair's domain is "
                    + qp.created().domain());
        }
        boolean allowed = qp.attribute(QpAttribute.RemoteAccess.class)
                .map(access -> access.access())
                .map(rights -> use.right.map(rights::allows).orElse(true))
                .orElse(true);
        if (use.isRemote() && !allowed && qp.isAnswered()) {
            report.broken(use + "; the queue pair itself does not allow "
                    + use.right.map(Enum::name).orElse("this access"));
        }
    }

    // rule xrc-domain
    /**
     * Checks the protection domain of a target that has none: the domain of the shared receive queue named by the request
     * counts.
     */
    private static void checkNamed(Use use, HcaEvent.Registered region, TraceState traceState, Report report) {
        XrcFacts.named(traceState.delivery(use.cause)).stream()
                .mapToObj(number -> traceState.xrc().queue(new QpName(use.port, Element.sharedReceives(number))))
                .flatMap(Optional::stream)
                .filter(queue -> queue.domain() != region.domain())
                .forEach(queue ->
                        report.broken("%s of protection domain %d; the message is for %s of protection domain %d"
                                .formatted(use, region.domain(), queue.element(), queue.domain())));
    }

    private void count(String port, int key, Element element, int change) {
        leases.computeIfAbsent(new KeyAt(port, key), absent -> new LinkedHashMap<>())
                .merge(element, change, Integer::sum);
    }

    // rule indirect-parts-gone
    private void takenAway(KeyAt key, TraceState traceState, Report report) {
        undefinedKeys.add(key);
        noLease(key, "is deregistered", report);
        traceState
                .fillings()
                .showing(key.port, key.key)
                .forEach(other -> reportHolders(
                        new KeyAt(key.port, other),
                        leases.getOrDefault(new KeyAt(key.port, other), Map.of()),
                        "shows memory of key 0x%08x, which is deregistered".formatted(key.key),
                        report));
    }

    private void noLease(KeyAt key, String what, Report report) {
        Map<Element, Integer> held = leases.remove(key);
        if (held != null) {
            reportHolders(key, held, what, report);
        }
    }

    private static void reportHolders(KeyAt key, Map<Element, Integer> held, String what, Report report) {
        held.forEach((element, count) -> {
            if (count > 0) {
                report.broken(
                        "%s: key 0x%08x %s, and %s holds a lease on it".formatted(key.port, key.key, what, element));
            }
        });
    }
}
