// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.atomic.TunneledPayload;
import org.hcaactors.adapter.atomic.TunneledPayload.Parsed;
import org.hcaactors.adapter.atomic.TunneledPayload.Placed;
import org.hcaactors.adapter.flow.BadCommand;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

// rule atomic-tunneled-whole
/**
 * Commands of the WRITE being received (tunneled atomics). They are held until the last one has arrived and all of them are
 * valid: either all are executed, or none.
 */
final class IncomingCommands {
    /** Maximum size of one message: 4096 commands. */
    static final int MAX_BYTES = 1 << 16;

    private final int key;
    private final long address;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private List<Placed> good = List.of();

    IncomingCommands(int key, long address) {
        this.key = key;
        this.address = address;
    }

    /** Returns why the message can't be executed, as far as this packet shows. */
    Optional<BadCommand> refusal(Packet packet, long lengthBytes, LocalMemory memory, Turn turn) {
        if (lengthBytes > MAX_BYTES) {
            return Optional.of(new BadCommand.TooMany(lengthBytes, MAX_BYTES));
        }
        if (!packet.operation().ends()) {
            return Optional.empty();
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(held.toByteArray());
        whole.writeBytes(packet.payload().toArray());
        return switch (TunneledPayload.parse(whole.toByteArray(), address)) {
            case Parsed.Bad bad -> Optional.of(bad.reason());
            case Parsed.Commands commands -> {
                good = commands.all();
                yield outside(memory, turn);
            }
        };
    }

    private Optional<BadCommand> outside(LocalMemory memory, Turn turn) {
        for (int i = 0; i < good.size(); i++) {
            Placed each = good.get(i);
            Accessibility reach = memory.checkAccess(
                    key, address + each.offset(), each.command().sizeBytes(), Access.REMOTE_WRITE, turn);
            if (reach != Accessibility.READY) {
                return Optional.of(new BadCommand.Outside(i, memory.whyNot()));
            }
        }
        return Optional.empty();
    }

    /** Holds the packet's commands, or executes all of them if it is the last; {@link #refusal} must have been empty. */
    @MutationPoint("incoming-commands.take")
    void take(Octets payload, boolean last, LocalMemory memory, AtomicUnit unit, Turn turn) {
        if (last) {
            good.forEach(each -> memory.update(key, address + each.offset(), each.command(), unit, turn));
        } else {
            held.writeBytes(payload.toArray());
        }
    }
}
