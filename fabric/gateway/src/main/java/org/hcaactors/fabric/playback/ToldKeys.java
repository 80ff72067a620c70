// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;

/**
 * Keys and addresses that messages of this side tell the peer. Where a recorded message has the bytes of a key or an address that
 * a later request of the peer names, the message of this side has its own (rule wire-recorded-numbers).
 */
final class ToldKeys {
    /** Keys whose bytes are looked for; the program tells further ones. */
    private static final int MAX_KEYS = 64;

    /** Messages that are searched; programs tell keys in their first ones. */
    private static final int MAX_SEARCHED = 4096;

    /** Addresses of one key that are looked for. */
    private static final int MAX_ADDRESSES = 256;

    /** Longer payloads are not searched: programs tell keys in short messages. */
    private static final int MAX_SEARCHED_BYTES = 512;

    private record Key(int rkey, int at, ByteOrder order) {}

    private record Address(int rkey, long address, int at, ByteOrder order) {}

    private record Told(List<Key> keys, List<Address> addresses) {}

    /** Addresses that requests of the peer name, by key. */
    private final Map<Integer, Set<Long>> named = new LinkedHashMap<>();

    private final Map<Integer, Told> byMessage = new LinkedHashMap<>();
    private final Numbers numbers;
    private int searched;

    ToldKeys(Numbers numbers) {
        this.numbers = numbers;
    }

    /** Takes a header of a request of the peer. */
    void name(ExtendedHeader header) {
        switch (header) {
            case ExtendedHeader.Reth h -> name(h.rkey(), h.address());
            case ExtendedHeader.AtomicEth h -> name(h.rkey(), h.address());
            case ExtendedHeader.AtomicAddress h -> name(h.rkey(), h.address());
            case ExtendedHeader other -> {}
        }
    }

    private void name(int rkey, long address) {
        if (named.containsKey(rkey) || named.size() < MAX_KEYS) {
            Set<Long> addresses = named.computeIfAbsent(rkey, any -> new LinkedHashSet<>());
            if (addresses.size() < MAX_ADDRESSES) {
                addresses.add(address);
            }
        }
    }

    /** Looks for keys in a recorded message of this side, when all requests of the peer are known. */
    void search(Item message) {
        Octets payload = message.packet().payload();
        boolean isShort = payload.length() >= Integer.BYTES && payload.length() <= MAX_SEARCHED_BYTES;
        if (!isShort || named.isEmpty() || searched == MAX_SEARCHED) {
            return;
        }
        searched++;
        ByteBuffer bytes = ByteBuffer.wrap(payload.toArray());
        Told told = new Told(new ArrayList<>(), new ArrayList<>());
        named.forEach((rkey, addresses) -> {
            find(bytes, rkey, Integer.BYTES).ifPresent(place -> {
                told.keys.add(new Key(rkey, place.at, place.order));
                for (long address : addresses) {
                    find(bytes, address, Long.BYTES)
                            .ifPresent(other -> told.addresses.add(new Address(rkey, address, other.at, other.order)));
                }
            });
        });
        if (!told.keys.isEmpty()) {
            byMessage.put(message.index, told);
        }
    }

    private record Place(int at, ByteOrder order) {}

    private static Optional<Place> find(ByteBuffer bytes, long value, int width) {
        for (int at = 0; at + width <= bytes.capacity(); at++) {
            for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                bytes.order(order);
                long found = width == Integer.BYTES ? bytes.getInt(at) : bytes.getLong(at);
                if (found == value) {
                    return Optional.of(new Place(at, order));
                }
            }
        }
        return Optional.empty();
    }

    /** Reads the keys of this side in its message, which is as long as the recorded one. */
    void read(Item message, Octets payload) {
        Told told = byMessage.get(message.index);
        if (told == null || payload.length() < message.packet().payload().length()) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(payload.toArray());
        for (Key key : told.keys) {
            int actual = bytes.order(key.order).getInt(key.at);
            numbers.learned(key.rkey, actual);
            for (Address address : told.addresses) {
                if (address.rkey == key.rkey) {
                    numbers.learned(
                            key.rkey,
                            actual,
                            address.address,
                            bytes.order(address.order).getLong(address.at));
                }
            }
        }
    }

    /** Returns the payload with zeros in place of keys and addresses, for a comparison. */
    Octets withoutKeys(Item message, Octets payload) {
        Told told = byMessage.get(message.index);
        if (told == null) {
            return payload;
        }
        byte[] bytes = payload.toArray();
        told.keys.forEach(key -> clear(bytes, key.at, Integer.BYTES));
        told.addresses.forEach(address -> clear(bytes, address.at, Long.BYTES));
        return Octets.wrap(bytes, 0, bytes.length);
    }

    private static void clear(byte[] bytes, int at, int count) {
        for (int i = at; i < Math.min(bytes.length, at + count); i++) {
            bytes[i] = 0;
        }
    }
}
