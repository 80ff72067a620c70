// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * {@linkplain Fault.Drawn Drawn} faults at work: whatever comes to the network draws when it is struck, in nanoseconds from then on or in
 * packets of its adapter. Belongs to the world's thread.
 */
final class DrawnFaults {
    /** Of one fault, who is drawn for; whoever comes later is spared. */
    static final int MAX_DRAWN = 256;

    /** Powers of ten of nanoseconds since something came: a program may be over in a microsecond, or live for a second. */
    private static final int FIRST_POWER = 3;

    private static final int POWERS = 6;
    /** Of packets. */
    private static final int PACKET_POWERS = 3;
    /** Of nanoseconds that pass between such a packet and the strike. */
    private static final int PAUSE_POWERS = 4;

    /** What strikes when its time has come. */
    @FunctionalInterface
    interface Strike {
        /** @param number of the fault in the plan */
        void on(int number, Fault.AtMoment fault);
    }

    private static final class Armed {
        private final int number;
        private final Fault.Drawn fault;
        private int drawn;

        /** @param number in the plan */
        Armed(int number, Fault.Drawn fault) {
            this.number = number;
            this.fault = fault;
        }
    }

    private record AtPacket(long packet, long pause, Runnable strike) {}

    /** The packets of an adapter, while something waits for one of them. */
    private static final class Counted {
        private final PriorityQueue<AtPacket> waiting = new PriorityQueue<>(Comparator.comparingLong(AtPacket::packet));
        private long packets;
    }

    private final FaultTarget arena;
    private final Strike strike;
    private final List<Armed> armed = new ArrayList<>();
    /** Who is there, with its handle: whoever comes again by the same name has another one. */
    private final Map<DrawnTarget, Object> there = new LinkedHashMap<>();
    /** How often somebody of that name has come. */
    private final Map<DrawnTarget, Integer> times = new HashMap<>();

    private final Map<String, Counted> counted = new HashMap<>();
    private boolean looks;
    private long made = -1;

    DrawnFaults(FaultTarget arena, Strike strike) {
        this.arena = arena;
        this.strike = strike;
    }

    void arm(int number, Fault.Drawn fault) {
        if (!looks) {
            looks = true;
            arena.beforeTimePasses(this::look);
        }
        meet();
        Armed one = new Armed(number, fault);
        armed.add(one);
        there.keySet().forEach(target -> draw(one, target));
    }

    /** Nothing that was armed strikes any more. */
    void stop() {
        armed.clear();
        counted.clear();
    }

    /** A packet is on its way. */
    void count(PacketInTransit transit) {
        if (!counted.isEmpty()) {
            count(transit.fromPort());
            if (!transit.toPort().equals(transit.fromPort())) {
                count(transit.toPort());
            }
        }
    }

    private void count(String adapter) {
        Counted packets = counted.get(adapter);
        if (packets == null) {
            return;
        }
        packets.packets++;
        while (!packets.waiting.isEmpty() && packets.waiting.element().packet <= packets.packets) {
            AtPacket due = packets.waiting.remove();
            arena.after(due.pause, due.strike);
        }
        if (packets.waiting.isEmpty()) {
            counted.remove(adapter);
        }
    }

    private void look() {
        if (!armed.isEmpty() && arena.made() != made) {
            meet();
        }
    }

    /** Whoever has come since. */
    private void meet() {
        made = arena.made();
        Map<DrawnTarget, Object> now = whoIsThere();
        there.keySet().retainAll(now.keySet());
        now.forEach((target, handle) -> {
            if (there.put(target, handle) != handle) {
                times.merge(target, 1, Integer::sum);
                armed.forEach(one -> draw(one, target));
            }
        });
    }

    private Map<DrawnTarget, Object> whoIsThere() {
        Map<DrawnTarget, Object> all = new LinkedHashMap<>();
        for (Adapter adapter : arena.network().adapters()) {
            all.put(new DrawnTarget(adapter.name(), Optional.empty()), adapter);
            for (String process : arena.network().processes(adapter)) {
                all.put(new DrawnTarget(adapter.name(), Optional.of(process)), adapter.process(process));
            }
        }
        return all;
    }

    private void draw(Armed one, DrawnTarget target) {
        Fault.Drawn fault = one.fault;
        if (fault.what().isOfProcesses() != target.process().isPresent() || one.drawn == MAX_DRAWN) {
            return;
        }
        one.drawn++;
        // Each has a stream of its own, so that one more adapter shifts nobody else's.
        SplittableRandom random = RandomStreams.of(fault.lot(), target.words() + " " + times.getOrDefault(target, 1));
        for (int i = 0; i < Fault.Drawn.MAX_STRIKES && random.nextDouble() < fault.probability(); i++) {
            long how = random.nextLong();
            Runnable strikes = () -> strike(one, target, how);
            if (random.nextBoolean()) {
                arena.after(power(random, FIRST_POWER, POWERS), strikes);
            } else {
                atPacket(target.adapter(), random, strikes);
            }
        }
    }

    private void atPacket(String adapter, SplittableRandom random, Runnable strikes) {
        Counted packets = counted.computeIfAbsent(adapter, absent -> new Counted());
        long packet = packets.packets + power(random, 0, PACKET_POWERS);
        packets.waiting.add(new AtPacket(packet, power(random, 0, PAUSE_POWERS), strikes));
    }

    /** As likely in one power of ten as in the next. */
    private static long power(SplittableRandom random, int first, int powers) {
        return Math.round(StrictMath.pow(10, first + powers * random.nextDouble()));
    }

    private void strike(Armed one, DrawnTarget target, long how) {
        if (armed.contains(one)) {
            target.struck(one.fault.what(), arena, new SplittableRandom(how))
                    .ifPresent(fault -> strike.on(one.number, fault));
        }
    }
}
