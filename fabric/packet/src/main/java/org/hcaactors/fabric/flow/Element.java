// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of an adapter that an event concerns.
 *
 * @param number among those of its kind on one adapter; the key itself for a key; 0 for the port and the device
 */
public record Element(Kind kind, int number) {
    /** Kinds of elements. */
    public enum Kind {
        QUEUE_PAIR("qp"),
        COMPLETION_QUEUE("cq"),
        SHARED_RECEIVE_QUEUE("srq"),
        WAITER("waiter"),
        /** A responder of a DC target: serves one peer. */
        RESPONDER("dcr"),
        KEY("key 0x"),
        PORT("port"),
        DEVICE("device");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }

        private Optional<Element> read(String digits) {
            if (this == PORT || this == DEVICE) {
                return digits.isEmpty() ? Optional.of(new Element(this, 0)) : Optional.empty();
            }
            try {
                return Optional.of(new Element(this, Integer.parseUnsignedInt(digits, radix())));
            } catch (NumberFormatException other) {
                return Optional.empty();
            }
        }

        private int radix() {
            return this == KEY ? 16 : 10;
        }
    }

    public static Element queuePair(int number) {
        return new Element(Kind.QUEUE_PAIR, number);
    }

    public static Element completionQueue(int number) {
        return new Element(Kind.COMPLETION_QUEUE, number);
    }

    public static Element sharedReceives(int number) {
        return new Element(Kind.SHARED_RECEIVE_QUEUE, number);
    }

    public static Element waiter(int number) {
        return new Element(Kind.WAITER, number);
    }

    public static Element responder(int number) {
        return new Element(Kind.RESPONDER, number);
    }

    public static Element key(int key) {
        return new Element(Kind.KEY, key);
    }

    /** Checkers and views look up elements often; the hash code that a record generates is slow. */
    @Override
    public int hashCode() {
        return 31 * number + kind.ordinal();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Element that && number == that.number && kind == that.kind;
    }

    /**
     * Returns the name: {@code qp17}, {@code cq3}, {@code srq2}, {@code waiter1}, {@code dcr5}, {@code key 0x00000200}; {@code
     * port} and {@code device} have no number.
     */
    @Override
    public String toString() {
        return switch (kind) {
            case QUEUE_PAIR, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE, WAITER, RESPONDER ->
                kind.prefix + Integer.toUnsignedString(number);
            case KEY -> kind.prefix + "%08x".formatted(number);
            case PORT, DEVICE -> kind.prefix;
        };
    }

    /** Parses the result of {@link #toString}; empty for any other text. */
    public static Optional<Element> parse(String text) {
        return Arrays.stream(Kind.values())
                .filter(kind -> text.startsWith(kind.prefix))
                .flatMap(kind -> kind.read(text.substring(kind.prefix.length())).stream())
                .findFirst();
    }
}
