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
    private final List<SkippedPacket> skipped;
    private final int base;
    private final TreeMap<Integer, SkippedPacket> byOffset = new TreeMap<>();
    private final TreeSet<Integer> known = new TreeSet<>();
    private final Map<Integer, SkippedPacket.Kind> skippedKinds = new LinkedHashMap<>();

    private UnknownNumbers(List<SkippedPacket> skipped) {
        this.skipped = List.copyOf(skipped);
        base = skipped.isEmpty() ? 0 : skipped.getFirst().psn();
    }

    /** Creates an instance for datagrams, which are independent of each other. */
    static UnknownNumbers ofDatagrams(List<SkippedPacket> skipped) {
        return new UnknownNumbers(skipped);
    }

    /** @param requests that the machines receive, if their PSNs are known */
    static UnknownNumbers of(List<SkippedPacket> skipped, List<CapturedPacket> requests) {
        UnknownNumbers all = new UnknownNumbers(skipped);
        if (all.isSomething()) {
            all.find(requests);
        }
        return all;
    }

    private void find(List<CapturedPacket> requests) {
        requests.stream()
                .filter(request -> request.isIntact() && request.operation().starts())
                .forEach(request -> known.add(Psn.compare(request.psn(), base)));
        skipped.stream()
                .filter(packet -> !packet.isResponse() && !known.contains(Psn.compare(packet.psn(), base)))
                .forEach(packet -> byOffset.putIfAbsent(Psn.compare(packet.psn(), base), packet));
    }

    /** True if there are packets that the machines do not receive. */
    boolean isSomething() {
        return !skipped.isEmpty();
    }

    List<SkippedPacket> packets() {
        return skipped;
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
                skippedKinds.put(packet.frame(), around.get().kind());
            }
        }
        return rest;
    }

    /** Returns why packets are not compared, by frame. */
    Map<Integer, SkippedPacket.Kind> skippedKinds() {
        return Map.copyOf(skippedKinds);
    }
}
