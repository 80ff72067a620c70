// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.cli.gateway.ForwardedPort;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * GIDs in the texts with which the classic tools introduce themselves, and those that take their place: 32 digits in hexadecimal
 * as ibv_rc_pingpong sends them, and 16 pairs with colons as perftest does. The length of a text stays. The text comes in any
 * pieces: bytes that may be the start of a GID are held back. Not thread-safe.
 */
final class TextTranslation implements ForwardedPort.Filter {
    /** A GID as it is sent, and what takes its place. */
    private record Replacement(byte[] from, byte[] to) {
        boolean startsWith(byte[] bytes, int at, int length) {
            return Arrays.equals(from, 0, length, bytes, at, at + length);
        }
    }

    private final List<Replacement> replacements;
    private byte[] held = {};

    TextTranslation(Translation addresses) {
        Map<PortAddress, PortAddress> all = new LinkedHashMap<>();
        all.put(addresses.sender(), addresses.senderSeen());
        all.put(addresses.receiver(), addresses.receiverSeen());
        replacements = all.entrySet().stream()
                .flatMap(each -> IntStream.range(0, 2)
                        .mapToObj(form -> new Replacement(text(each.getKey(), form), text(each.getValue(), form))))
                .toList();
    }

    private static byte[] text(PortAddress address, int form) {
        String digits = "%016x%016x".formatted(address.high(), address.low());
        String text = form == 0
                ? digits
                : IntStream.range(0, 16)
                        .mapToObj(at -> digits.substring(2 * at, 2 * at + 2))
                        .collect(Collectors.joining(":"));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns what can be sent on. */
    @Override
    public byte[] take(byte[] piece, int length) {
        byte[] all = Arrays.copyOf(held, held.length + length);
        System.arraycopy(piece, 0, all, held.length, length);
        ByteArrayOutputStream out = new ByteArrayOutputStream(all.length);
        int at = 0;
        while (at < all.length && !mayBegin(all, at)) {
            Optional<Replacement> found = found(all, at);
            if (found.isPresent()) {
                out.writeBytes(found.get().to());
                at += found.get().from().length;
            } else {
                out.write(all[at]);
                at++;
            }
        }
        held = Arrays.copyOfRange(all, at, all.length);
        return out.toByteArray();
    }

    private Optional<Replacement> found(byte[] all, int at) {
        return replacements.stream()
                .filter(each -> all.length - at >= each.from().length)
                .filter(each -> each.startsWith(all, at, each.from().length))
                .findFirst();
    }

    /** True if all of the rest is the start of a GID, and not the whole of it. */
    private boolean mayBegin(byte[] all, int at) {
        int rest = all.length - at;
        return replacements.stream().anyMatch(each -> rest < each.from().length && each.startsWith(all, at, rest));
    }

    @Override
    public boolean holds() {
        return held.length > 0;
    }

    /** Returns what was held back: it was no GID, as nothing follows. */
    @Override
    public byte[] rest() {
        byte[] rest = held;
        held = new byte[0];
        return rest;
    }
}
