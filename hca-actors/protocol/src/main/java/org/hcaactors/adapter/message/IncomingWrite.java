// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.BadCommand;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** The RDMA WRITE being received: address, length and key of its First packet, and its progress. */
public final class IncomingWrite {
    private final boolean checksKeyOfEmptyWrite;
    private final AtomicUnit atomics;
    private long address;
    private long lengthBytes;
    private int key;

    @MutationPoint("incoming-write.received")
    private long received;

    /** Not null if the WRITE carries commands. */
    private @Nullable IncomingCommands commands;

    /** Creates the state for a queue pair with this plan. */
    public IncomingWrite(QpPlan plan) {
        checksKeyOfEmptyWrite = plan.profile().has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES);
        atomics = plan.atomics();
    }

    /** Length of the whole message. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** True if the WRITE's data are commands (tunneled atomics). */
    public boolean carriesCommands() {
        return commands != null;
    }

    /** True if the packet's length does not fit its place in the message (rule rc-lengths). */
    public boolean isWrongLength(Packet packet, int mtuBytes) {
        boolean starts = packet.operation().starts();
        long whole = starts ? packet.reth().lengthUnsigned() : lengthBytes;
        long reached = (starts ? 0 : received) + packet.payload().length();
        return whole > PacketLengths.MAX_RDMA_BYTES
                || PacketLengths.isWrong(packet, mtuBytes)
                || PacketLengths.isWrongPart(packet.operation(), reached, whole);
    }

    /**
     * Checks the memory of the packet. The R_Key is checked for the whole length at First or Only, then for each packet; for a
     * length of 0 as IBA C9-88 demands (rules rc-key-denied, rc-no-bytes).
     */
    @MutationPoint("incoming-write.reach")
    public Accessibility checkAccess(Packet packet, LocalMemory memory, Turn turn) {
        int count = packet.payload().length();
        if (packet.operation().starts()) {
            ExtendedHeader.Reth to = packet.reth();
            return to.lengthUnsigned() == 0 && !checksKeyOfEmptyWrite
                    ? Accessibility.READY
                    : memory.checkAccess(
                            to.rkey(), to.address(), to.lengthUnsigned(), count, Access.REMOTE_WRITE, turn);
        }
        long from = address + received;
        Accessibility reach = memory.checkAccess(key, from, count, Access.REMOTE_WRITE, turn);
        return reach == Accessibility.ABSENT
                ? memory.checkAccess(key, from, lengthBytes - received, count, Access.REMOTE_WRITE, turn)
                : reach;
    }

    /** Returns why the packet's commands can't be executed; call it after {@link #checkAccess}. */
    public Optional<BadCommand> refusal(Packet packet, LocalMemory memory, Turn turn) {
        if (packet.operation().starts()) {
            ExtendedHeader.Reth to = packet.reth();
            boolean tunnels = to.lengthUnsigned() > 0 && memory.tunnels(to.rkey());
            commands = tunnels ? new IncomingCommands(to.rkey(), to.address()) : null;
        }
        long whole = packet.operation().starts() ? packet.reth().lengthUnsigned() : lengthBytes;
        return commands == null ? Optional.empty() : commands.refusal(packet, whole, memory, turn);
    }

    /** Writes the packet's payload; call it if {@link #refusal} is empty. */
    @MutationPoint("incoming-write.take")
    public void take(Packet packet, LocalMemory memory, Turn turn) {
        if (packet.operation().starts()) {
            ExtendedHeader.Reth to = packet.reth();
            address = to.address();
            lengthBytes = to.lengthUnsigned();
            key = to.rkey();
            received = 0;
            turn.count(Counter.RX_WRITE_REQUESTS);
        }
        if (commands != null) {
            boolean last = packet.operation().ends();
            commands.take(packet.payload(), last, memory, atomics, turn);
            // The commands are executed; an idle queue pair holds none.
            commands = last ? null : commands;
        } else if (lengthBytes > 0) {
            memory.store(key, address + received, packet.payload(), turn);
        }
        received += packet.payload().length();
    }
}
