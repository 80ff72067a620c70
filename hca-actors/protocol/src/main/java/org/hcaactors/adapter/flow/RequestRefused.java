// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;

/** Why a responder can't do what its peer asks. */
public sealed interface RequestRefused extends Reason {
    /** What a packet stands inside of. */
    enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    /** The queue pair allows no such request at all. */
    /** It names a shared receive queue that is not there, or not in the queue pair's XRC domain. */
    record NoSuchSharedReceives(int number) implements RequestRefused {}

    /** The packets of one message name several shared receive queues. */
    record OtherSharedReceives(int number, int before) implements RequestRefused {}

    /** The shared receive queue that it names is in error, or its completion queue is. */
    record SharedReceivesFailed(int number) implements RequestRefused {}

    record NotAllowed(Access right) implements RequestRefused {}

    record TooManyReads(int maxDestRdAtomic) implements RequestRefused {}

    record PacketLength(Operation operation, int lengthBytes, int mtuBytes) implements RequestRefused {}

    /** It does not go on with the message that is coming in, or with none. */
    record OutOfPlace(Operation operation, Inside inside) implements RequestRefused {}

    /** A key that a message was to invalidate. */
    record Invalidation(KeyDenied reason) implements RequestRefused {}

    record ReadTooLong() implements RequestRefused {}

    record NoAtomics(String profile) implements RequestRefused {}

    record AtomicMisaligned(long address) implements RequestRefused {}

    record MaskedAtomicMisaligned(long address, int sizeBytes) implements RequestRefused {}

    /** @param sizes that it has, as a mask */
    record NoAtomicsOfThatSize(String profile, int sizeBytes, int sizes) implements RequestRefused {}

    /** @param lengthBytes of all operands together */
    record AtomicOperands(Operation operation, int sizeBytes, int lengthBytes) implements RequestRefused {}

    record LongerThanReceive(long receiveBytes) implements RequestRefused {}

    record DatagramLongerThanReceive(int lengthBytes, long receiveBytes) implements RequestRefused {}

    /** The memory of the receive that the message would go into. */
    record ReceiveMemory(KeyDenied reason) implements RequestRefused {}

    /** With the message goes its receive: one that was taken from a shared queue can't go back. */
    record ReceiveLost(Reason reason) implements RequestRefused {}
}
