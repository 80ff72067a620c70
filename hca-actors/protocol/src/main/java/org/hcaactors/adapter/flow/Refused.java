// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;

/** Why a responder can't do what its peer asks. */
public sealed interface Refused extends Reason {
    /** What a packet stands inside of. */
    enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    /** The queue pair allows no such request at all. */
    /** It names a shared receive queue that is not there, or not in the queue pair's XRC domain. */
    record NoSuchSharedReceives(int number) implements Refused {}

    /** The packets of one message name several shared receive queues. */
    record OtherSharedReceives(int number, int before) implements Refused {}

    /** The shared receive queue that it names is in error, or its completion queue is. */
    record SharedReceivesFailed(int number) implements Refused {}

    record NotAllowed(Access right) implements Refused {}

    record TooManyReads(int maxDestRdAtomic) implements Refused {}

    record PacketLength(Operation operation, int lengthBytes, int mtuBytes) implements Refused {}

    /** It does not go on with the message that is coming in, or with none. */
    record OutOfPlace(Operation operation, Inside inside) implements Refused {}

    /** A key that a message was to invalidate. */
    record Invalidation(KeyDenied why) implements Refused {}

    record ReadTooLong() implements Refused {}

    record NoAtomics(String profile) implements Refused {}

    record AtomicMisaligned(long address) implements Refused {}

    record MaskedAtomicMisaligned(long address, int sizeBytes) implements Refused {}

    /** @param sizes that it has, as a mask */
    record NoAtomicsOfThatSize(String profile, int sizeBytes, int sizes) implements Refused {}

    /** @param lengthBytes of all operands together */
    record AtomicOperands(Operation operation, int sizeBytes, int lengthBytes) implements Refused {}

    record LongerThanReceive(long receiveBytes) implements Refused {}

    record DatagramLongerThanReceive(int lengthBytes, long receiveBytes) implements Refused {}

    /** The memory of the receive that the message would go into. */
    record ReceiveMemory(KeyDenied why) implements Refused {}

    /** With the message goes its receive: one that was taken from a shared queue can't go back. */
    record ReceiveLost(Reason why) implements Refused {}
}
