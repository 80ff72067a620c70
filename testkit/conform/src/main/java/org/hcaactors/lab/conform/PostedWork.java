// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.conform.Messages.Message;

/** Factory of the work requests that a requester must have had for its messages. */
final class PostedWork {
    private PostedWork() {}

    /** @param memory holds the message's data, or receives it */
    static WorkRequest of(int id, Message message, Host memory) {
        Packet first = message.first();
        LocalSlice local = memory.buffer((int) message.lengthBytes());
        memory.fill(local, message.data());
        OptionalInt immediate = message.last().immediateIfAny();
        boolean solicited = message.last().bth().solicited();
        return switch (message.family()) {
            case SEND, SEND_WITH_INVALIDATE -> {
                Send send = Send.of(id, local);
                send = solicited ? send.withSolicited() : send;
                if (message.last().operation().family() == Operation.Family.SEND_WITH_INVALIDATE) {
                    yield send.withInvalidate(message.last().ieth().rkey());
                }
                yield immediate.isPresent() ? send.withImmediate(immediate.getAsInt()) : send;
            }
            case WRITE -> {
                RdmaWrite write = RdmaWrite.of(
                        id,
                        local,
                        new RemoteAddress(first.reth().rkey(), first.reth().address()));
                write = solicited ? write.withSolicited() : write;
                yield immediate.isPresent() ? write.withImmediate(immediate.getAsInt()) : write;
            }
            case READ ->
                RdmaRead.of(
                        id,
                        local,
                        new RemoteAddress(first.reth().rkey(), first.reth().address()));
            case ATOMIC -> atomic(id, first, local);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION ->
                throw new IllegalStateException(first.opcode() + " is not the first packet of a requester's message");
        };
    }

    private static WorkRequest atomic(int id, Packet first, LocalSlice local) {
        var operands = first.atomicEth();
        RemoteAddress remote = new RemoteAddress(operands.rkey(), operands.address());
        return first.operation() == Operation.COMPARE_SWAP
                ? CompareAndSwap.of(id, local, remote, operands.compare(), operands.swapOrAdd())
                : FetchAdd.of(id, local, remote, operands.swapOrAdd());
    }
}
