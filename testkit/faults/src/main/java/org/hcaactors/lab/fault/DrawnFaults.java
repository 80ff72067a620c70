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
 * Execution of {@linkplain Fault.Drawn drawn} faults: each adapter or process gets a random time at which it is struck, as a
 * delay in nanoseconds or as a number of packets of its adapter. Not thread-safe; used on the world's thread.
 */
final class DrawnFaults {
    /** Maximum number of targets of one fault; later ones are not struck. */
    static final int MAX_DRAWN = 256;

    /** Exponents of ten of the delay in nanoseconds: a program may last a microsecond or a second. */
    private static final int FIRST_POWER = 3;

    private static final int POWERS = 6;
    /** Exponents of ten of the number of packets. */
    private static final int PACKET_POWERS = 3;
    /** Exponents of ten of the nanoseconds between that packet and the strike. */
    private static final int PAUSE_POWERS = 4;

    /** Executes a fault at its time. */
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

    /** Packet count of an adapter, while strikes wait for one of its packets. */
    private static final class Counted {
        private final PriorityQueue<AtPacket> waiting = new PriorityQueue<>(Comparator.comparingLong(AtPacket::packet));
        private long packets;
    }

    private final FaultTarget arena;
    private final Strike strike;
    private final List<Armed> armed = new ArrayList<>();
    /** Existing targets with their handles; a target that is created again under the same name has another handle. */
    private final Map<DrawnTarget, Object> existing = new LinkedHashMap<>();
    /** Number of times a target of that name was created. */
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
        existing.keySet().forEach(target -> draw(one, target));
    }

    /** Disarms all faults. */
    void stop() {
        armed.clear();
        counted.clear();
    }

    /** Counts a packet in transit. */
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

    /** Draws for targets created since the last call. */
    private void meet() {
        made = arena.made();
        Map<DrawnTarget, Object> now = existingTargets();
        existing.keySet().retainAll(now.keySet());
        now.forEach((target, handle) -> {
            if (existing.put(target, handle) != handle) {
                times.merge(target, 1, Integer::sum);
                armed.forEach(one -> draw(one, target));
            }
        });
    }

    private Map<DrawnTarget, Object> existingTargets() {
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
        // Each target has its own random stream, so that one more adapter does not change the others.
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

    /** Returns a number whose logarithm is uniformly distributed. */
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
