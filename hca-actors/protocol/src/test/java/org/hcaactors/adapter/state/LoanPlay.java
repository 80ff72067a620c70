// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Packet;

/**
 * Two connected machines with random requests by seed, revoked leases, resets and lost packets. A program writes its buffers
 * only when no request uses them, so the results do not depend on loans.
 */
final class LoanPlay {
    private static final int STEPS = 120;
    private static final int MTU = 256;

    /** Each request has its own part of either memory, which no other request uses at the same time. */
    private static final int PART = 4096;

    private static final int PARTS = Side.MEMORY / PART;

    private final Random random;
    private final boolean lends;
    private final Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256).withRetryCount(7));
    private final List<String> book = new ArrayList<>();
    private long ids;
    private int lent;

    LoanPlay(long seed, boolean lends) {
        random = new Random(seed);
        this.lends = lends;
        for (Side side : List.of(rig.a, rig.b)) {
            byte[] bytes = new byte[Side.MEMORY];
            random.nextBytes(bytes);
            side.memory.write(0, bytes);
        }
    }

    /** Number of packets that were sent with a lent payload. */
    int lent() {
        return lent;
    }

    /** Returns the completions and the content of memory after each round. */
    List<String> play() {
        for (int round = 0; round < STEPS / 10; round++) {
            for (int step = 0; step < 10; step++) {
                step();
            }
            rig.runToQuiet();
            for (Side side : List.of(rig.a, rig.b)) {
                book.add(side.name + " " + completions(side.sends) + " " + completions(side.receives) + " "
                        + side.machine.state() + " " + Arrays.hashCode(side.memory.read(0, Side.MEMORY)));
                side.sends.clear();
                side.receives.clear();
                write(side);
            }
            recover();
        }
        return book;
    }

    private static List<String> completions(List<WorkCompletion> of) {
        return of.stream()
                .map(each -> each.workId() + ":" + each.status() + ":" + each.lengthBytes())
                .toList();
    }

    /** Nothing is under way: the program may write. */
    private void write(Side side) {
        byte[] bytes = new byte[PART];
        random.nextBytes(bytes);
        side.memory.write((long) PART * random.nextInt(PARTS), bytes);
    }

    private void recover() {
        if (rig.a.machine.state() != QpState.RTS || rig.b.machine.state() != QpState.RTS || random.nextInt(4) == 0) {
            rig.reconnect(rig.a);
            rig.reconnect(rig.b);
            rig.a.out.clear();
            rig.b.out.clear();
        }
    }

    private void step() {
        Side side = random.nextBoolean() ? rig.a : rig.b;
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> post(side);
            case 3, 4, 5 -> transmit(side);
            case 6 -> deliver(side, random.nextInt(12) == 0);
            default -> disturb(side);
        }
    }

    private int next() {
        return (int) (ids % PARTS);
    }

    private void post(Side side) {
        int part = next();
        int bytes = random.nextInt(3) == 0 ? random.nextInt(PART) : PART;
        long id = ++ids;
        Side peer = rig.peer(side);
        WorkRequest work = switch (random.nextInt(3)) {
            case 0 -> {
                peer.postReceive(Receive.of(id, peer.slice((long) part * PART, PART)));
                yield Send.of(id, side.slice((long) part * PART, bytes)).withSignaled();
            }
            case 1 ->
                RdmaWrite.of(id, side.slice((long) part * PART, bytes), peer.remote((long) part * PART))
                        .withSignaled();
            default ->
                RdmaRead.of(id, side.slice((long) part * PART, bytes), peer.remote((long) part * PART))
                        .withSignaled();
        };
        side.post(work);
    }

    private void transmit(Side side) {
        side.lends = lends;
        side.machine.transmit(1 + random.nextInt(64), side.at(rig.now));
        side.lends = false;
        for (Packet packet : side.out) {
            if (packet.payload().length() >= MTU) {
                lent += isLent(side, packet) ? 1 : 0;
            }
        }
    }

    /** True if a change of its memory shows in the packet. */
    private static boolean isLent(Side side, Packet packet) {
        int before = packet.payload().crc32();
        byte[] memory = side.memory.read(0, Side.MEMORY);
        byte[] other = memory.clone();
        for (int i = 0; i < other.length; i++) {
            other[i]++;
        }
        side.memory.write(0, other);
        boolean lent = packet.payload().crc32() != before;
        side.memory.write(0, memory);
        return lent;
    }

    /** On a link that loses packets no side sends runs, and each packet is settled. */
    private void deliver(Side side, boolean loses) {
        int residue = loses ? random.nextInt(3) : 3;
        while (!side.out.isEmpty()) {
            Packet packet = side.out.remove();
            if (loses) {
                packet.settle();
            }
            for (Packet each : loses ? packet.split() : List.of(packet)) {
                if (each.psn() % 3 != residue) {
                    rig.receive(rig.peer(side), each);
                }
            }
        }
    }

    /** The owner of memory takes it back: packets under way keep what they had. */
    private void disturb(Side side) {
        if (random.nextInt(3) == 0) {
            side.machine.leaseRevoked(Side.KEY, side.at(rig.now));
        }
    }
}
