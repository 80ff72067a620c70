// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;

/** Reasons why a responder refuses a peer's request. */
public sealed interface RequestRefused extends Reason {
    /** The kind of message that a packet is part of. */
    enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    /** The request addresses a shared receive queue that does not exist, or not in the queue pair's XRC domain. */
    record NoSuchSharedReceives(int number) implements RequestRefused {}

    /** The packets of one message address different shared receive queues. */
    record OtherSharedReceives(int number, int before) implements RequestRefused {}

    /** The addressed shared receive queue, or its completion queue, is in error. */
    record SharedReceivesFailed(int number) implements RequestRefused {}

    record NotAllowed(Access right) implements RequestRefused {}

    record TooManyReads(int maxDestRdAtomic) implements RequestRefused {}

    record PacketLength(Operation operation, int lengthBytes, int mtuBytes) implements RequestRefused {}

    /** The packet continues no message, or not the one that is being received. */
    record OutOfPlace(Operation operation, Inside inside) implements RequestRefused {}

    /** The message's key could not be invalidated. */
    record Invalidation(KeyDenied reason) implements RequestRefused {}

    record ReadTooLong() implements RequestRefused {}

    record NoAtomics(String profile) implements RequestRefused {}

    record AtomicMisaligned(long address) implements RequestRefused {}

    record MaskedAtomicMisaligned(long address, int sizeBytes) implements RequestRefused {}

    /** @param sizes the supported sizes, as a mask */
    record NoAtomicsOfThatSize(String profile, int sizeBytes, int sizes) implements RequestRefused {}

    /** @param lengthBytes total length of the operands */
    record AtomicOperands(Operation operation, int sizeBytes, int lengthBytes) implements RequestRefused {}

    record LongerThanReceive(long receiveBytes) implements RequestRefused {}

    record DatagramLongerThanReceive(int lengthBytes, long receiveBytes) implements RequestRefused {}

    /** The memory of the message's receive can't be used. */
    record ReceiveMemory(KeyDenied reason) implements RequestRefused {}

    /** The message's receive was lost with it, since a receive taken from a shared receive queue can't be put back. */
    record ReceiveLost(Reason reason) implements RequestRefused {}
}
