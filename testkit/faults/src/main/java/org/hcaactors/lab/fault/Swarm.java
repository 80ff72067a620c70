// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * Draws fault plans: a seed decides which kinds of faults there are at all, and how often each strikes (swarm testing, Groce
 * et al. 2012). A plan in which everything always goes wrong finds less.
 */
public enum Swarm {
    /** No faults. */
    OFF,
    /**
     * What wires do, as much of it as seven retries survive: loss, delay, repetition, disorder, noise, receivers that are
     * not ready, cables pulled for a moment. And hosts: pages are evicted, large blocks run out.
     */
    WIRE,
    /** The same, and parts of adapters crash, processes die, machines lose power. Requests may fail. */
    DISASTER,
    /**
     * Packets that nobody sent, well-formed and not, to living queue pairs; half of the time on a wire that does what wires
     * do. Requests may fail, and bytes may be written that no peer wrote, where a forged packet is like a real one.
     */
    HOSTILE,
    /**
     * Hosts and adapters that have nothing left: verbs of any program are refused with ENOMEM or EAGAIN, at the first call or the
     * hundredth, before they have done anything; large blocks of memory run out. No packet is touched, and what is there stays: a
     * verb that destroys is not refused.
     */
    RESOURCES,
    /**
     * Hosts that are busy: their programs stand still for a while, as while a collector runs, threads are descheduled, handlers are slow,
     * timers late, pages evicted. No packet is touched, adapters go on, and no request fails but for what programs do too late.
     */
    HOST;

    private static final int MAX_FORGERIES = 8;
    private static final int MAX_REFUSALS = 4;
    /** Of one host. */
    private static final int MAX_PAUSES = 4;
    /** Of verbs that a refusal means, before the one that it strikes. */
    private static final int MAX_CALLS = 300;

    private static final double MAX_REFUSED = 0.1;
    private static final Duration LONGEST_DELAY = Duration.ofNanos(40_000);
    /** Of the queue pairs that an adapter makes, only the first ones may be struck. */
    private static final int STRUCK = 8;

    /** Of the completion queues and threads that an adapter makes, as many. */
    private static final int WOKEN = 2;

    private static final int MAX_EVICTIONS = 8;
    /** How likely at most one adapter or process is struck by what it survives. */
    private static final double LIGHT = 0.7;
    /** And how likely at least by what it does not. */
    private static final double MIN_HEAVY = 0.2;

    private static final List<Fault.Drawn.What> DISASTERS =
            List.of(Fault.Drawn.What.CRASH, Fault.Drawn.What.POWER_CYCLE, Fault.Drawn.What.KILL);

    /** Pages take longer than packets. */
    private static final int LONG = 20;
    /** Whose pages are evicted, where its first memory is, and how far what programs on the bench have goes. */
    private static final String PROCESS = "app";

    private static final long MEMORY = 0x7F00_0000_0000L;
    private static final long REACH = 2 << 20;

    /** Of the largest blocks that hosts are left with. */
    private static final int ORDERS = MemoryNode.MAX_ORDER - PageLayout.MIN_ORDER;

    private static final Duration LATE_ANSWER = Duration.ofNanos(300_000);

    /**
     * @param adapters whom faults at a moment strike
     * @param horizon when the last of them strikes
     */
    public FaultPlan plan(long seed, List<String> adapters, Duration horizon) {
        if (this == OFF) {
            return FaultPlan.NONE;
        }
        SplittableRandom random = RandomStreams.of(seed, "swarm " + this);
        List<Fault> faults = new ArrayList<>();
        switch (this) {
            case OFF -> {}
            case WIRE -> wire(random, seed, adapters, horizon, faults);
            case DISASTER -> {
                wire(random, seed, adapters, horizon, faults);
                disaster(random, seed, adapters, horizon, faults);
            }
            case HOSTILE -> hostile(random, seed, adapters, horizon, faults);
            case RESOURCES -> resources(random, faults);
            case HOST -> host(random, adapters, horizon, faults);
        }
        // With lots of their own: whoever has no pages on demand meets the same faults with them and without.
        SplittableRandom host = RandomStreams.of(seed, "swarm pages " + this);
        evictions(host, adapters, horizon, faults);
        if (host.nextInt(4) == 0) {
            String adapter = adapters.get(host.nextInt(adapters.size()));
            int order = PageLayout.MIN_ORDER + host.nextInt(ORDERS);
            faults.add(new Fault.Fragment(time(host, horizon), adapter, 1L << order));
        }
        return new FaultPlan(faults);
    }

    /**
     * The same for programs that make their adapters and processes when they like, and call them what they like: packets of all adapters are
     * meant, and whatever else strikes {@linkplain Fault.Drawn draws for each that comes}. Wake-ups are not lost: what sleeps without a
     * deadline would sleep for ever.
     */
    public FaultPlan plan(long seed) {
        if (this == OFF) {
            return FaultPlan.NONE;
        }
        SplittableRandom random = RandomStreams.of(seed, "swarm of whatever is there " + this);
        List<Fault> faults = new ArrayList<>();
        switch (this) {
            case OFF -> {}
            case WIRE, DISASTER -> wire(random, seed, List.of(), Duration.ZERO, faults);
            case HOSTILE -> hostile(random, seed, List.of(), Duration.ZERO, faults);
            case RESOURCES -> resources(random, faults);
            case HOST -> {
                faults.add(drawn(random, Fault.Drawn.What.SLOW, random.nextDouble()));
                faults.add(drawn(random, Fault.Drawn.What.PAUSE, random.nextDouble()));
            }
        }
        if (this != RESOURCES && this != HOST && (this != HOSTILE || random.nextBoolean())) {
            maybe(random, faults, Fault.Drawn.What.UNPLUG);
            maybe(random, faults, Fault.Drawn.What.STARVE);
        }
        if (this == DISASTER) {
            Fault.Drawn.What sure = DISASTERS.get(random.nextInt(DISASTERS.size()));
            faults.add(drawn(random, sure, MIN_HEAVY + random.nextDouble() * (1 - MIN_HEAVY)));
            maybe(random, faults, Fault.Drawn.What.END_WAITER);
        }
        maybe(random, faults, Fault.Drawn.What.EVICT);
        maybe(random, faults, Fault.Drawn.What.FRAGMENT);
        maybe(random, faults, Fault.Drawn.What.NOTIFY_OFF);
        return new FaultPlan(faults);
    }

    /** In half of the seeds. */
    private static void maybe(SplittableRandom random, List<Fault> faults, Fault.Drawn.What what) {
        if (random.nextBoolean()) {
            faults.add(drawn(random, what, random.nextDouble() * LIGHT));
        }
    }

    private static Fault drawn(SplittableRandom random, Fault.Drawn.What what, double probability) {
        return new Fault.Drawn(what, Math.round(probability * 1000) / 1000.0, random.nextLong(Long.MAX_VALUE));
    }

    // rules notify-gone, notify-unit-off
    /**
     * What becomes of the wake-ups of an adapter's first completion queues and threads, in half of the seeds: notifications are lost,
     * threads end, and its host's unit is off for a while. None where there are {@linkplain #OFF no faults}.
     *
     * @param adapter whose
     * @param horizon when the last of them strikes
     */
    public FaultPlan wakeUps(long seed, String adapter, Duration horizon) {
        SplittableRandom random = RandomStreams.of(seed, "swarm wake-ups " + this);
        if (this == OFF || random.nextBoolean()) {
            return FaultPlan.NONE;
        }
        List<Fault> faults = new ArrayList<>();
        for (int each = 1; each <= WOKEN; each++) {
            if (random.nextBoolean()) {
                faults.add(new Fault.LoseWakeup(adapter, each, mayLose(random)));
            }
            if (random.nextInt(4) == 0) {
                faults.add(new Fault.EndWaiter(time(random, horizon), adapter, each));
            }
        }
        if (random.nextInt(3) == 0) {
            faults.add(new Fault.NotifyOff(time(random, horizon), adapter, time(random, horizon)));
        }
        return new FaultPlan(faults);
    }

    private static Trigger mayLose(SplittableRandom random) {
        return random.nextBoolean() ? new Trigger.Nth(1 + random.nextInt(4)) : new Trigger.Chance(0.3);
    }

    private static void wire(
            SplittableRandom random, long seed, List<String> adapters, Duration horizon, List<Fault> faults) {
        PacketMatch any = PacketMatch.packet();
        if (random.nextBoolean()) {
            faults.add(chance(random, oneWay(any, adapters, random), 0.06, new PacketAction.Drop()));
        }
        if (random.nextInt(3) == 0) {
            faults.add(chance(random, any.response(), 0.1, new PacketAction.Drop()));
        }
        if (random.nextInt(3) == 0) {
            faults.add(chance(
                    random, any.place(Operation.Place.LAST, Operation.Place.ONLY), 0.08, new PacketAction.Drop()));
        }
        if (random.nextBoolean()) {
            faults.add(chance(random, any, 0.2, new PacketAction.Delay(Duration.ZERO, time(random, LONGEST_DELAY))));
        }
        if (random.nextBoolean()) {
            faults.add(chance(random, any, 0.2, new PacketAction.Duplicate(time(random, LONGEST_DELAY))));
        }
        if (random.nextBoolean()) {
            faults.add(chance(
                    random, any, 0.2, new PacketAction.Reorder(1 + random.nextInt(4), time(random, LONGEST_DELAY))));
        }
        if (random.nextInt(3) == 0) {
            BitFlip.Where where = BitFlip.Where.values()[random.nextInt(3)];
            faults.add(chance(random, any, 0.05, new PacketAction.Corrupt(where)));
        }
        if (!adapters.isEmpty() && random.nextBoolean()) {
            String adapter = adapters.get(random.nextInt(adapters.size()));
            faults.add(new Fault.WithholdReceives(
                    time(random, horizon), adapter, aQueuePair(random, seed, adapter), 1 + random.nextInt(3)));
        }
        if (!adapters.isEmpty() && random.nextInt(4) == 0) {
            String adapter = adapters.get(random.nextInt(adapters.size()));
            faults.add(new Fault.LinkDown(time(random, horizon), adapter, time(random, LONGEST_DELAY)));
        }
        if (random.nextInt(3) == 0) {
            faults.add(chance(random, answers(random), 0.3, lateAgain(random)));
        }
    }

    private static void resources(SplittableRandom random, List<Fault> faults) {
        for (int i = random.nextInt(MAX_REFUSALS); i >= 0; i--) {
            Errno errno = random.nextInt(3) == 0 ? Errno.EAGAIN : Errno.ENOMEM;
            faults.add(new Fault.OnVerbs(anyOrOne(random, errno), refused(random), Interval.ALL, errno));
        }
    }

    private static void host(SplittableRandom random, List<String> adapters, Duration horizon, List<Fault> faults) {
        for (String adapter : adapters) {
            for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                faults.add(new Fault.Pause(time(random, horizon), adapter, time(random, horizon)));
            }
            if (random.nextBoolean()) {
                faults.add(new Fault.Slow(
                        time(random, horizon), adapter, time(random, LONGEST_DELAY), time(random, horizon)));
            }
        }
    }

    private static VerbMatch anyOrOne(SplittableRandom random, Errno errno) {
        if (random.nextBoolean()) {
            return VerbMatch.verb();
        }
        List<Verb> able = Arrays.stream(Verb.values())
                .filter(verb -> verb.errnos().contains(errno))
                .toList();
        return VerbMatch.verb(able.get(random.nextInt(able.size())));
    }

    /** As likely one of the first 17 as a later one: how many a program calls is not known. */
    private static Trigger refused(SplittableRandom random) {
        return random.nextInt(4) == 0
                ? new Trigger.Chance(rounded(random, MAX_REFUSED))
                : new Trigger.Nth(Math.round(Math.pow(MAX_CALLS, random.nextDouble())));
    }

    // rule paging-host
    private static void evictions(
            SplittableRandom random, List<String> adapters, Duration horizon, List<Fault> faults) {
        if (random.nextInt(3) > 0) {
            return;
        }
        for (int i = random.nextInt(MAX_EVICTIONS); i >= 0; i--) {
            String adapter = adapters.get(random.nextInt(adapters.size()));
            Duration at = time(random, horizon.multipliedBy(LONG));
            boolean all = random.nextInt(3) == 0;
            faults.add(
                    all
                            ? new Fault.Evict(at, adapter, PROCESS, 0, Long.MAX_VALUE)
                            : new Fault.Evict(
                                    at,
                                    adapter,
                                    PROCESS,
                                    MEMORY + random.nextLong(REACH),
                                    1 + random.nextLong(REACH / 2)));
        }
    }

    /** Later than what they answer is sent again. */
    private static PacketAction lateAgain(SplittableRandom random) {
        Duration time = time(random, LATE_ANSWER);
        return random.nextBoolean() ? new PacketAction.Delay(Duration.ZERO, time) : new PacketAction.Duplicate(time);
    }

    private static PacketMatch answers(SplittableRandom random) {
        PacketMatch any = PacketMatch.packet();
        return switch (random.nextInt(4)) {
            case 0 -> any.ack();
            case 1 -> any.nak();
            case 2 -> any.rnrNak();
            default -> any.response();
        };
    }

    /** Forgeries first: where several faults mean a packet, the first one has it. */
    private static void hostile(
            SplittableRandom random, long seed, List<String> adapters, Duration horizon, List<Fault> faults) {
        Forgeries forgeries = new Forgeries(random, TransportClass.RC);
        int count = 1 + random.nextInt(MAX_FORGERIES);
        for (int i = 0; i < count; i++) {
            faults.add(forgeries.next());
        }
        if (random.nextBoolean()) {
            wire(random, seed, adapters, horizon, faults);
        }
        // With lots of their own: whoever has no XRC and no DC meets the same faults with them and without.
        forge(RandomStreams.of(seed, "swarm xrc HOSTILE"), TransportClass.XRC, faults);
        forge(RandomStreams.of(seed, "swarm dc HOSTILE"), TransportClass.DC, faults);
    }

    private static void forge(SplittableRandom random, TransportClass at, List<Fault> faults) {
        Forgeries forgeries = new Forgeries(random, at);
        for (int i = random.nextInt(MAX_FORGERIES); i > 0; i--) {
            faults.add(forgeries.next());
        }
    }

    private static void disaster(
            SplittableRandom random, long seed, List<String> adapters, Duration horizon, List<Fault> faults) {
        String adapter = adapters.get(random.nextInt(adapters.size()));
        Duration at = time(random, horizon);
        faults.add(
                switch (random.nextInt(5)) {
                    case 0 -> new Fault.PowerCycle(at, adapter, time(random, LONGEST_DELAY));
                    case 1 -> new Fault.Crash(at, new CrashTarget.AdapterItself(adapter));
                    case 2 -> new Fault.Crash(at, new CrashTarget.CompletionQueueOf(adapter, 1 + random.nextInt(2)));
                    case 3 -> new Fault.Crash(at, new CrashTarget.SharedReceivesOf(adapter, 1 + random.nextInt(2)));
                    default ->
                        new Fault.Crash(at, new CrashTarget.QueuePairOf(adapter, aQueuePair(random, seed, adapter)));
                });
    }

    /** One of the first that an adapter makes. */
    private static int aQueuePair(SplittableRandom random, long seed, String adapter) {
        return RandomStreams.numbers(seed, adapter).queuePair() + random.nextInt(STRUCK);
    }

    private static Fault chance(SplittableRandom random, PacketMatch match, double max, PacketAction action) {
        return new Fault.OnPackets(match, new Trigger.Chance(rounded(random, max)), Interval.ALL, action);
    }

    private static double rounded(SplittableRandom random, double max) {
        return Math.round(random.nextDouble() * max * 1000) / 1000.0;
    }

    private static PacketMatch oneWay(PacketMatch match, List<String> adapters, SplittableRandom random) {
        if (random.nextInt(3) > 0) {
            return match;
        }
        return match.and(
                adapters.isEmpty()
                        ? new Condition.FromSome(random.nextLong(Long.MAX_VALUE))
                        : new Condition.From(adapters.get(random.nextInt(adapters.size()))));
    }

    private static Duration time(SplittableRandom random, Duration max) {
        return Duration.ofNanos(1 + random.nextLong(max.toNanos()));
    }
}
