// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Transport of an opcode: its bits 7 to 5 (IBA 9.2.1). */
public enum TransportClass {
    RC(0x00, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER),
    UC(0x20, Trait.ORDERED, Trait.ONE_PEER),
    /** Dynamically connected. The IBA assigns this value to RD, which no adapter implements (rule wire-dc-class). */
    DC(0x40, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER),
    UD(0x60),
    /** A congestion notification is not a request, and belongs to a queue pair of another transport. */
    CNP(0x80),
    XRC(0xA0, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER);

    private enum Trait {
        ANSWERED,
        ORDERED,
        ONE_PEER
    }

    private static final int NUMBERS = 8;

    /** Each packet that arrives is looked up here. */
    private static final List<Optional<TransportClass>> BY_NUMBER = IntStream.range(0, NUMBERS)
            .mapToObj(number -> Arrays.stream(values())
                    .filter(transport -> transport.number() == number)
                    .findFirst())
            .toList();

    private final int bits;
    private final boolean answered;
    private final boolean ordered;
    private final boolean onePeer;

    TransportClass(int bits, Trait... traits) {
        List<Trait> all = List.of(traits);
        this.bits = bits;
        this.answered = all.contains(Trait.ANSWERED);
        this.ordered = all.contains(Trait.ORDERED);
        this.onePeer = all.contains(Trait.ONE_PEER);
    }

    public int bits() {
        return bits;
    }

    /** Returns those three bits as a number, 0 to 7, as in the header of a masked atomic (rule wire-masked-atomic). */
    public int number() {
        return bits >>> 5;
    }

    /** Returns the transport of that number; empty if there is none. */
    public static Optional<TransportClass> numbered(int number) {
        return number >= 0 && number < NUMBERS ? BY_NUMBER.get(number) : Optional.empty();
    }

    /** True if requests are acknowledged, and retransmitted if they are not. */
    public boolean isAnswered() {
        return answered;
    }

    /**
     * True if packets of a queue pair are ordered, and the receiver detects missing and misplaced ones by their PSN. UC has no
     * retransmission: the message is then lost (IBA 9.7.3, 9.8.2).
     */
    public boolean isOrdered() {
        return ordered;
    }

    /**
     * True for IBA's reliable service, which is both: requests are executed and acknowledged once and in order, so that an
     * acknowledgement covers all earlier requests as well (IBA 9.7).
     */
    public boolean isReliable() {
        return answered && ordered;
    }

    /** True for a connection: a queue pair has one peer, over DC one at a time. Each datagram may have another one. */
    public boolean hasOnePeer() {
        return onePeer;
    }
}
