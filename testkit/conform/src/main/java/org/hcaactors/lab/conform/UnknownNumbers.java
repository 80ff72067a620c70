// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hcaactors.fabric.packet.Psn;

/**
 * PSNs of a conversation about which too little is known: those of requests that the machines do not receive, each up to the
 * next message that they do receive.
 */
final class UnknownNumbers {
    private final List<SkippedPacket> unplayed;
    private final int base;
    private final TreeMap<Integer, SkippedPacket> byOffset = new TreeMap<>();
    private final TreeSet<Integer> known = new TreeSet<>();
    private final Map<Integer, SkippedPacket.Kind> skipped = new LinkedHashMap<>();

    private UnknownNumbers(List<SkippedPacket> unplayed) {
        this.unplayed = List.copyOf(unplayed);
        base = unplayed.isEmpty() ? 0 : unplayed.getFirst().psn();
    }

    /** Creates an instance for datagrams, which are independent of each other. */
    static UnknownNumbers ofDatagrams(List<SkippedPacket> unplayed) {
        return new UnknownNumbers(unplayed);
    }

    /** @param requests that the machines receive, if their PSNs are known */
    static UnknownNumbers of(List<SkippedPacket> unplayed, List<CapturedPacket> requests) {
        UnknownNumbers all = new UnknownNumbers(unplayed);
        if (all.isSomething()) {
            all.find(requests);
        }
        return all;
    }

    private void find(List<CapturedPacket> requests) {
        requests.stream()
                .filter(request -> request.isIntact() && request.operation().starts())
                .forEach(request -> known.add(Psn.compare(request.psn(), base)));
        unplayed.stream()
                .filter(packet -> !packet.isResponse() && !known.contains(Psn.compare(packet.psn(), base)))
                .forEach(packet -> byOffset.putIfAbsent(Psn.compare(packet.psn(), base), packet));
    }

    /** True if there are packets that the machines do not receive. */
    boolean isSomething() {
        return !unplayed.isEmpty();
    }

    List<SkippedPacket> packets() {
        return unplayed;
    }

    /** Returns the skipped packet with that PSN, or before it in the same range. */
    Optional<SkippedPacket> at(int psn) {
        int offset = Psn.compare(psn, base);
        return Optional.ofNullable(byOffset.floorEntry(offset))
                .filter(last -> {
                    Integer next = known.higher(last.getKey());
                    return next == null || offset < next;
                })
                .map(Map.Entry::getValue);
    }

    /** Returns the packets whose PSNs are known; the others are not compared. */
    List<CapturedPacket> without(List<CapturedPacket> packets) {
        List<CapturedPacket> rest = new ArrayList<>();
        for (CapturedPacket packet : packets) {
            Optional<SkippedPacket> around = at(packet.psn());
            if (around.isEmpty()) {
                rest.add(packet);
            } else {
                skipped.put(packet.frame(), around.get().kind());
            }
        }
        return rest;
    }

    /** Returns why packets are not compared, by frame. */
    Map<Integer, SkippedPacket.Kind> skipped() {
        return Map.copyOf(skipped);
    }
}
