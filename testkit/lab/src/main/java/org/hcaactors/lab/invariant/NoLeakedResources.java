// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Invariant: when the world is idle, an adapter holds only what its programs have open: actors, numbers, keys, leases, users of
 * queues, attachments to the fabric, memory, pages. Once the world is closed, it holds nothing.
 */
final class NoLeakedResources implements Invariant {
    private final ResourceLedger ledger;
    private final Function<String, List<String>> actors;

    /** @param actors the names of the actors directly below an adapter's actor, by adapter name */
    NoLeakedResources(ResourceLedger ledger, Function<String, List<String>> actors) {
        this.ledger = ledger;
        this.actors = actors;
    }

    @Override
    public String name() {
        return "no-leaked-resources";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of();
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        // Only the objects that exist when the world is idle count.
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        exitedProcesses(report);
        ledger.statements(ResourceSnapshot.Host.class).forEach(host -> pages(host, report));
        ledger.statements(ResourceSnapshot.Adapter.class).forEach(adapter -> {
            Holdings held = new Holdings(adapter.adapter());
            held.actors(report);
            held.tables(adapter, report);
            held.users(report);
            held.leases(report);
        });
    }

    private void exitedProcesses(Report report) {
        ledger.statements(ResourceSnapshot.Process.class)
                .filter(process -> process.exited() && process.memories() > 0)
                .forEach(process -> report.broken("process " + process.name() + " of " + process.adapter()
                        + " exited, but " + process.memories() + " of its memories are still mapped"));
    }

    // rule pages-freed
    private static void pages(ResourceSnapshot.Host host, Report report) {
        if (host.buffers() != host.held()) {
            report.broken("the host of " + host.adapter() + " counts pages of " + host.buffers()
                    + " buffers, but its processes hold " + host.held());
        }
        if (host.overlaps() > 0) {
            report.broken("the host of " + host.adapter() + " allocated the same pages to two buffers, "
                    + host.overlaps() + " times");
        }
    }

    @Override
    public void atEnd(Report report) {
        ledger.statements(ResourceSnapshot.class).forEach(each -> {
            switch (each) {
                case ResourceSnapshot.Fabric fabric -> {
                    // The fabric stopped with the network, before the last queue pairs could be detached.
                }
                case ResourceSnapshot.Process process -> {
                    if (process.memories() > 0) {
                        report.broken("process " + process.name() + " of " + process.adapter()
                                + " still has memory mapped, but its network is closed");
                    }
                }
                case ResourceSnapshot.Host host -> pages(host, report);
                default -> report.broken(each + " exists, but its network is closed");
            }
        });
    }

    /** Objects of one adapter. */
    private final class Holdings {
        private final String adapter;
        private final List<ResourceSnapshot.Context> contexts;
        private final List<ResourceSnapshot.QueuePair> queuePairs;
        private final List<ResourceSnapshot.Translator> translators;

        Holdings(String adapter) {
            this.adapter = adapter;
            contexts = ledger.statements(ResourceSnapshot.Context.class)
                    .filter(each -> each.adapter().equals(adapter))
                    .toList();
            queuePairs = ledger.statements(ResourceSnapshot.QueuePair.class)
                    .filter(each -> each.adapter().equals(adapter))
                    .toList();
            translators = ledger.statements(ResourceSnapshot.Translator.class)
                    .filter(each -> each.adapter().equals(adapter))
                    .toList();
        }

        /** Checks that there is one actor for each open handle, and one handle for each actor. */
        void actors(Report report) {
            Map<String, Long> found = actors.apply(adapter).stream()
                    .collect(Collectors.groupingBy(
                            name -> name.substring(0, name.indexOf('-') + 1), TreeMap::new, Collectors.counting()));
            for (ObjectKind kind : ObjectKind.values()) {
                if (kind.hasActor()) {
                    same(kind.prefix(), kind.plural(), opened(kind), found, report);
                }
            }
            queuePairs.stream()
                    .filter(each -> each.queues().handles() < 1)
                    .forEach(each ->
                            report.broken(adapter + "/qp" + each.number() + " exists, but no handle refers to it"));
            same("events-", "contexts", contexts.size(), found, report);
        }

        private int opened(ObjectKind kind) {
            return switch (kind) {
                case WAITER -> threads();
                case QUEUE_PAIR -> inContexts(kind) - furtherHandles() + initiators();
                default -> inContexts(kind);
            };
        }

        // rule rendezvous-dc
        /** Counts the initiators of tag-matching queues, on which programs have no handle. */
        private int initiators() {
            return (int) ledger.statements(ResourceSnapshot.SharedReceives.class)
                    .filter(each -> each.adapter().equals(adapter) && each.hasInitiator())
                    .count();
        }

        /** Counts further handles on a queue pair that already has one. */
        private int furtherHandles() {
            return queuePairs.stream()
                    .mapToInt(each -> each.queues().handles() - 1)
                    .sum();
        }

        /** Waiters belong to processes, not to contexts. */
        private int threads() {
            return ledger.statements(ResourceSnapshot.Process.class)
                    .filter(each -> each.adapter().equals(adapter))
                    .mapToInt(ResourceSnapshot.Process::waiters)
                    .sum();
        }

        private int inContexts(ObjectKind kind) {
            return contexts.stream()
                    .mapToInt(context -> context.open().getOrDefault(kind, 0))
                    .sum();
        }

        private void same(String prefix, String what, int open, Map<String, Long> found, Report report) {
            long actorCount = found.getOrDefault(prefix, 0L);
            if (actorCount != open) {
                report.broken(adapter + " has " + actorCount + " actors " + prefix + "*, but its programs have " + open
                        + " " + what + " open");
            }
        }

        void tables(ResourceSnapshot.Adapter table, Report report) {
            equal(
                    "knows the queue pairs",
                    sorted(table.queuePairs()),
                    sorted(queuePairs.stream()
                            .map(ResourceSnapshot.QueuePair::number)
                            .toList()),
                    report);
            equal("has numbers of queue pairs in use", table.numbersInUse(), queuePairs.size(), report);
            equal(
                    "knows the keys",
                    sorted(table.keys()),
                    sorted(translators.stream()
                            .map(each -> each.key() >>> Byte.SIZE)
                            .toList()),
                    report);
            equal("has keys in use", table.keysInUse(), translators.size(), report);
            equal("delivers events to contexts", table.eventStreams(), contexts.size(), report);
            ledger.statements(ResourceSnapshot.Fabric.class)
                    .forEach(fabric -> equal(
                            "is attached to the fabric by queue pairs, besides queue pair 1",
                            fabric.endpoints().getOrDefault(adapter, 0) - 1,
                            queuePairs.size(),
                            report));
        }

        void users(Report report) {
            ledger.statements(ResourceSnapshot.CompletionQueue.class)
                    .filter(queue -> queue.adapter().equals(adapter))
                    .forEach(queue -> equal(
                            "counts as users of cq" + queue.number(),
                            queue.users(),
                            usersOf(used -> used.sendCq() == queue.number() || used.recvCq() == queue.number())
                                    + completingIn(queue.number()),
                            report));
            ledger.statements(ResourceSnapshot.SharedReceives.class)
                    .filter(queue -> queue.adapter().equals(adapter))
                    .forEach(queue -> equal(
                            "counts as users of srq" + queue.number(),
                            queue.users(),
                            usersOf(used -> used.srqs().contains(queue.number())),
                            report));
        }

        /** Counts the shared receive queues that complete to this completion queue. */
        private int completingIn(int completions) {
            return (int) ledger.statements(ResourceSnapshot.SharedReceives.class)
                    .filter(queue -> queue.adapter().equals(adapter))
                    .filter(queue -> queue.completions().orElse(-1) == completions)
                    .count();
        }

        private int usersOf(Predicate<ResourceSnapshot.Queues> queue) {
            return (int) queuePairs.stream()
                    .map(ResourceSnapshot.QueuePair::queues)
                    .filter(queue)
                    .count();
        }

        void leases(Report report) {
            Map<Integer, Integer> held = new TreeMap<>();
            queuePairs.stream()
                    .filter(NoLeakedResources::holdsInVain)
                    .forEach(each -> report.broken("%s/qp%d in %s holds leases: it can use none"
                            .formatted(adapter, each.number(), each.state())));
            queuePairs.forEach(each -> each.leases().forEach(key -> held.merge(key, 1, Integer::sum)));
            translators.forEach(each -> each.leasedKeys().forEach(key -> held.merge(key, 1, Integer::sum)));
            translators.forEach(translator -> {
                Integer mine = Objects.requireNonNullElse(held.remove(translator.key()), 0);
                equal(
                        "counts granted leases of key 0x%08x".formatted(translator.key()),
                        translator.leases(),
                        mine,
                        report);
            });
            held.forEach((key, count) ->
                    report.broken("%s: %d queue pairs or keys hold a lease on key 0x%08x, which was deregistered"
                            .formatted(adapter, count, key)));
        }

        private void equal(String what, Object found, Object due, Report report) {
            if (!found.equals(due)) {
                report.broken(adapter + " " + what + ": " + found + ", but there are " + due);
            }
        }
    }

    private static boolean holdsInVain(ResourceSnapshot.QueuePair queuePair) {
        boolean over = queuePair.state() == QpState.RESET || queuePair.state() == QpState.ERR;
        return over && !queuePair.leases().isEmpty();
    }

    private static List<Integer> sorted(List<Integer> numbers) {
        return numbers.stream().sorted().toList();
    }
}
