// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Bits 7 to 5 of the opcode (IBA 9.2.1). */
public enum TransportClass {
    RC(0x00, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER),
    UC(0x20, Trait.ORDERED, Trait.ONE_PEER),
    /** Dynamically connected; the IBA has RD there, which no adapter speaks (rule wire-dc-class). */
    DC(0x40, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER),
    UD(0x60),
    /** A notification is no request, and belongs to a queue pair of another class. */
    CNP(0x80),
    XRC(0xA0, Trait.ANSWERED, Trait.ORDERED, Trait.ONE_PEER);

    private enum Trait {
        ANSWERED,
        ORDERED,
        ONE_PEER
    }

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

    /** Those three bits by themselves, 0 to 7: as a masked atomic tells its transport (rule wire-masked-atomic). */
    public int number() {
        return bits >>> 5;
    }

    /** Empty for a number that no transport here has. */
    public static Optional<TransportClass> numbered(int number) {
        return Arrays.stream(values())
                .filter(transport -> transport.number() == number)
                .findFirst();
    }

    /** Its requests are answered, and sent again where they are not. */
    public boolean isAnswered() {
        return answered;
    }

    /**
     * Packets of a queue pair have one order, and the receiver looks whether one is missing or out of place: its PSN tells. Over UC,
     * where nothing is sent again, the message disappears then (IBA 9.7.3, 9.8.2).
     */
    public boolean isOrdered() {
        return ordered;
    }

    /**
     * IBA's reliable service, which is both: requests are carried out and answered once and in order, so that an acknowledgement is
     * one of all before it, too (IBA 9.7).
     */
    public boolean isReliable() {
        return answered && ordered;
    }

    /** It is a connection: a queue pair has one peer, over DC one at a time. Each datagram may have another. */
    public boolean hasOnePeer() {
        return onePeer;
    }
}
