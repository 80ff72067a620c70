// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;

/** Numbers of this side in place of recorded ones (rule wire-recorded-numbers). A number that was not told is the recorded one. */
final class Numbers {
    /** Queue pair numbers are of one port. */
    private record QueuePair(PortAddress port, int number) {}

    /** @param shift this side's first PSN less the recorded one */
    record Shift(int sent, int received) {
        static final Shift NONE = new Shift(0, 0);
    }

    private record Place(long recorded, long actual) {}

    private static final class Key {
        int actual;
        final List<Place> places = new ArrayList<>();

        Key(int actual) {
            this.actual = actual;
        }
    }

    /** Places of one key that are remembered; beyond, the oldest is forgotten. */
    private static final int MAX_PLACES = 64;

    private final Map<QueuePair, Integer> queuePairs = new LinkedHashMap<>();
    private final Map<QueuePair, Shift> shifts = new LinkedHashMap<>();
    private final Map<Integer, Key> keys = new LinkedHashMap<>();
    private final Map<Integer, Key> told = new LinkedHashMap<>();

    void queuePair(PortAddress port, int recorded, int actual) {
        queuePairs.put(new QueuePair(port, recorded), actual);
    }

    int queuePair(PortAddress port, int recorded) {
        return queuePairs.getOrDefault(new QueuePair(port, recorded), recorded);
    }

    /** Changes the shift of the PSNs of a queue pair of this side. */
    void shift(PortAddress port, int recorded, UnaryOperator<Shift> change) {
        QueuePair of = new QueuePair(port, recorded);
        shifts.put(of, change.apply(shifts.getOrDefault(of, Shift.NONE)));
    }

    Shift shift(PortAddress port, int recorded) {
        return shifts.getOrDefault(new QueuePair(port, recorded), Shift.NONE);
    }

    /** The program told a key; this has precedence over what messages tell. */
    void told(int recordedKey, int key, long recordedAddress, long address) {
        place(told, recordedKey, key, recordedAddress, address);
    }

    /** A message told a key. */
    void learned(int recordedKey, int key) {
        keys.computeIfAbsent(recordedKey, any -> new Key(key)).actual = key;
    }

    /** A message told a key and an address. */
    void learned(int recordedKey, int key, long recordedAddress, long address) {
        place(keys, recordedKey, key, recordedAddress, address);
    }

    private static void place(Map<Integer, Key> of, int recordedKey, int key, long recordedAddress, long address) {
        Key known = of.computeIfAbsent(recordedKey, any -> new Key(key));
        known.actual = key;
        known.places.removeIf(place -> place.recorded == recordedAddress);
        if (known.places.size() == MAX_PLACES) {
            known.places.removeFirst();
        }
        known.places.add(new Place(recordedAddress, address));
    }

    private int key(int recorded) {
        Key known = told.containsKey(recorded) ? told.get(recorded) : keys.get(recorded);
        return known == null ? recorded : known.actual;
    }

    private long address(int recordedKey, long recorded) {
        Key known = told.containsKey(recordedKey) ? told.get(recordedKey) : keys.get(recordedKey);
        return known == null
                ? recorded
                : known.places.stream()
                        .filter(place -> Long.compareUnsigned(place.recorded, recorded) <= 0)
                        .max((a, b) -> Long.compareUnsigned(a.recorded, b.recorded))
                        .map(place -> place.actual + (recorded - place.recorded))
                        .orElse(recorded);
    }

    /** Returns a packet of the peer with the keys and addresses of this side. */
    ExtendedHeader translated(ExtendedHeader header) {
        return switch (header) {
            case ExtendedHeader.Reth h ->
                new ExtendedHeader.Reth(address(h.rkey(), h.address()), key(h.rkey()), h.lengthBytes());
            case ExtendedHeader.AtomicEth h ->
                new ExtendedHeader.AtomicEth(address(h.rkey(), h.address()), key(h.rkey()), h.swapOrAdd(), h.compare());
            case ExtendedHeader.AtomicAddress h ->
                new ExtendedHeader.AtomicAddress(address(h.rkey(), h.address()), key(h.rkey()));
            case ExtendedHeader.Ieth h -> new ExtendedHeader.Ieth(key(h.rkey()));
            case ExtendedHeader other -> other;
        };
    }

    /** Returns a packet with another destination and PSN. */
    static Packet renumbered(Packet packet, int destQp, int psnShift, List<ExtendedHeader> extended) {
        Bth bth = packet.bth();
        Bth other = bth.withDestQp(destQp).withPsn(Psn.plus(bth.psn(), psnShift));
        return new Packet(packet.route(), other, extended, packet.payload());
    }
}
