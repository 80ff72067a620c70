// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;

/**
 * What a {@linkplain Fault.Drawn drawn} fault may strike.
 *
 * @param adapter its name
 * @param process of that adapter's host, if it strikes processes
 */
record DrawnTarget(String adapter, Optional<String> process) {
    /** As much as seven retries survive. */
    private static final long LONGEST_OUTAGE_NANOS = 40_000;

    /** Powers of ten of nanoseconds for which programs are paused: a collector takes 10 us to 100 ms. */
    private static final int FIRST_PAUSE_POWER = 4;

    private static final int PAUSE_POWERS = 4;
    /** By which a step of theirs is late where they are slow: up to 1 us, or up to 1 ms. */
    private static final int FIRST_SLOW_POWER = 3;

    private static final int SLOW_POWERS = 3;
    /** Steps that are late in a row, or as many as fit in between. */
    private static final int MAX_SLOWED = 1000;

    private static final int MAX_STARVED = 3;
    private static final int ORDERS = MemoryNode.MAX_ORDER - PageLayout.MIN_ORDER;
    /** Where the first memory of a process is, and how far what programs on the bench have goes. */
    private static final long MEMORY = 0x7F00_0000_0000L;

    private static final long REACH = 2 << 20;
    private static final int HEXADECIMAL = 16;

    /** {@code a} or {@code a/app}. */
    String words() {
        return adapter + process.map(name -> "/" + name).orElse("");
    }

    /**
     * The fault that strikes it now; empty where nothing of that kind is there.
     *
     * @param random decides where, and how hard
     */
    Optional<Fault.AtMoment> struck(Fault.Drawn.What what, FaultTarget arena, SplittableRandom random) {
        Duration at = Duration.ofNanos(arena.now());
        return switch (what) {
            case UNPLUG -> Optional.of(new Fault.LinkDown(at, adapter, outage(random)));
            case POWER_CYCLE -> Optional.of(new Fault.PowerCycle(at, adapter, outage(random)));
            case NOTIFY_OFF -> Optional.of(new Fault.NotifyOff(at, adapter, outage(random)));
            case PAUSE -> Optional.of(new Fault.Pause(at, adapter, power(random, FIRST_PAUSE_POWER, PAUSE_POWERS)));
            case SLOW -> {
                Duration max = power(random, FIRST_SLOW_POWER, SLOW_POWERS);
                yield Optional.of(new Fault.Slow(at, adapter, max, max.multipliedBy(1 + random.nextInt(MAX_SLOWED))));
            }
            case FRAGMENT ->
                Optional.of(new Fault.Fragment(at, adapter, 1L << PageLayout.MIN_ORDER + random.nextInt(ORDERS)));
            case CRASH -> Optional.of(new Fault.Crash(at, victim(arena, random)));
            case STARVE ->
                number(ObjectKind.QUEUE_PAIR, arena, random)
                        .map(qp -> new Fault.WithholdReceives(at, adapter, qp, 1 + random.nextInt(MAX_STARVED)));
            case END_WAITER ->
                number(ObjectKind.WAITER, arena, random).map(waiter -> new Fault.EndWaiter(at, adapter, waiter));
            case EVICT -> process.map(name -> evict(at, name, random));
            case KILL -> process.map(name -> new Fault.Kill(at, adapter, name));
        };
    }

    /** As likely in one power of ten as in the next. */
    private static Duration power(SplittableRandom random, int first, int powers) {
        return Duration.ofNanos(Math.round(StrictMath.pow(10, first + powers * random.nextDouble())));
    }

    private static Duration outage(SplittableRandom random) {
        return Duration.ofNanos(1 + random.nextLong(LONGEST_OUTAGE_NANOS));
    }

    private Fault.AtMoment evict(Duration at, String name, SplittableRandom random) {
        return random.nextBoolean()
                ? new Fault.Evict(at, adapter, name, 0, Long.MAX_VALUE)
                : new Fault.Evict(at, adapter, name, MEMORY + random.nextLong(REACH), 1 + random.nextLong(REACH / 2));
    }

    private CrashTarget victim(FaultTarget arena, SplittableRandom random) {
        Optional<CrashTarget> object = switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 ->
                number(ObjectKind.COMPLETION_QUEUE, arena, random)
                        .map(cq -> new CrashTarget.CompletionQueueOf(adapter, cq));
            case 2 ->
                number(ObjectKind.SHARED_RECEIVE_QUEUE, arena, random)
                        .map(srq -> new CrashTarget.SharedReceivesOf(adapter, srq));
            case 3 -> number(ObjectKind.REGION, arena, random).map(key -> new CrashTarget.TranslatorOf(adapter, key));
            default -> number(ObjectKind.QUEUE_PAIR, arena, random).map(qp -> new CrashTarget.QueuePairOf(adapter, qp));
        };
        return object.orElseGet(() -> new CrashTarget.AdapterItself(adapter));
    }

    /** Of one of the adapter's objects of that kind. */
    private Optional<Integer> number(ObjectKind kind, FaultTarget arena, SplittableRandom random) {
        int radix = kind.numbers() == ObjectKind.Numbers.KEYS ? HEXADECIMAL : 10;
        List<Integer> numbers = arena.elements(adapter).stream()
                .filter(element -> element.startsWith(kind.prefix()))
                .map(element ->
                        Integer.parseUnsignedInt(element.substring(kind.prefix().length()), radix))
                .sorted()
                .toList();
        return numbers.isEmpty() ? Optional.empty() : Optional.of(numbers.get(random.nextInt(numbers.size())));
    }
}
