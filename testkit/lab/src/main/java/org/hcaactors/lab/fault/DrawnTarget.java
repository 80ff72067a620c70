// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;

/** What a {@linkplain Fault.Drawn drawn} fault strikes: one of the adapters, processes and queues that are there at its moment. */
final class DrawnTarget {
    /** As much as seven retries survive. */
    private static final long LONGEST_OUTAGE_NANOS = 40_000;

    private static final int MOST_STARVED = 3;
    private static final int ORDERS = MemoryNode.MOST_ORDER - PageLayout.LEAST_ORDER;

    private final Duration at;
    private final Arena arena;
    private final Adapter adapter;
    private final SplittableRandom random;

    private DrawnTarget(Duration at, Arena arena, Adapter adapter, SplittableRandom random) {
        this.at = at;
        this.arena = arena;
        this.adapter = adapter;
        this.random = random;
    }

    /** Empty where nothing of that kind is there. */
    static Optional<Fault.AtMoment> of(Fault.Drawn drawn, Arena arena) {
        SplittableRandom random = new SplittableRandom(drawn.lot());
        return oneOf(arena.network().adapters(), random)
                .flatMap(adapter -> new DrawnTarget(drawn.at(), arena, adapter, random).fault(drawn.kind()));
    }

    private Optional<Fault.AtMoment> fault(Fault.Drawn.Kind kind) {
        String name = adapter.name();
        return switch (kind) {
            case UNPLUG -> Optional.of(new Fault.LinkDown(at, name, outage()));
            case POWER_CYCLE -> Optional.of(new Fault.PowerCycle(at, name, outage()));
            case STARVE -> number("qp-").map(qp -> new Fault.Starve(at, name, qp, 1 + random.nextInt(MOST_STARVED)));
            case FRAGMENT ->
                Optional.of(new Fault.Fragment(at, name, 1L << PageLayout.LEAST_ORDER + random.nextInt(ORDERS)));
            case EVICT -> process().map(process -> new Fault.Evict(at, name, process, 0, Long.MAX_VALUE));
            case KILL -> process().map(process -> new Fault.Kill(at, name, process));
            case CRASH -> Optional.of(new Fault.Crash(at, victim()));
        };
    }

    private Duration outage() {
        return Duration.ofNanos(1 + random.nextLong(LONGEST_OUTAGE_NANOS));
    }

    private Optional<String> process() {
        return oneOf(arena.network().processes(adapter), random);
    }

    private Victim victim() {
        String name = adapter.name();
        Optional<Victim> object = switch (random.nextInt(4)) {
            case 0 -> number("cq-").map(cq -> new Victim.CompletionQueueOf(name, cq));
            case 1 -> number("srq-").map(srq -> new Victim.SharedReceivesOf(name, srq));
            case 2 -> Optional.empty();
            default -> number("qp-").map(qp -> new Victim.QueuePairOf(name, qp));
        };
        return object.orElseGet(() -> new Victim.AdapterItself(name));
    }

    /** Of one of the adapter's actors whose names begin so. */
    private Optional<Integer> number(String prefix) {
        List<Integer> numbers = arena.elements(adapter.name()).stream()
                .filter(element -> element.startsWith(prefix))
                .map(element -> Integer.valueOf(element.substring(prefix.length())))
                .sorted()
                .toList();
        return oneOf(numbers, random);
    }

    private static <T> Optional<T> oneOf(List<T> those, SplittableRandom random) {
        return those.isEmpty() ? Optional.empty() : Optional.of(those.get(random.nextInt(those.size())));
    }
}
