// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.BadCommand;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.api.work.TunneledCommand.Function;

// rule atomic-tunneled-payload
/**
 * Commands in the payload of a WRITE, 16 bytes each and big-endian: function, log2 of the value's size in bytes, two zero
 * bytes, offset from the WRITE's address, operand.
 */
public final class TunneledPayload {
    private static final Function[] BY_CODE = Function.values();

    private TunneledPayload() {}

    /** One command with its offset. */
    public record Placed(long offset, StoreAtomic command) {}

    /** The commands, if all are valid in themselves, or the reason of the first that is not. */
    public sealed interface Parsed {
        record Commands(List<Placed> all) implements Parsed {}

        record Bad(BadCommand reason) implements Parsed {}
    }

    /** @param address address that offsets count from */
    public static Parsed parse(byte[] payload, long address) {
        if (payload.length % TunneledCommand.BYTES != 0) {
            return new Parsed.Bad(new BadCommand.Length(payload.length));
        }
        ByteBuffer in = ByteBuffer.wrap(payload);
        List<Placed> all = new ArrayList<>(payload.length / TunneledCommand.BYTES);
        while (in.hasRemaining()) {
            int head = in.getInt();
            long offset = Integer.toUnsignedLong(in.getInt());
            long operand = in.getLong();
            Optional<Function> function = byCode(head >>> 24);
            int logBytes = head >>> 16 & 0xFF;
            if (function.isEmpty() || logBytes < 2 || logBytes > 3 || (head & 0xFFFF) != 0) {
                return new Parsed.Bad(new BadCommand.Unknown(all.size(), head));
            }
            if ((address + offset & (1 << logBytes) - 1) != 0) {
                return new Parsed.Bad(new BadCommand.Misaligned(all.size(), address + offset, 1 << logBytes));
            }
            AtomicValue value = logBytes == 2 ? AtomicValue.ofInt((int) operand) : AtomicValue.ofLong(operand);
            all.add(new Placed(offset, new StoreAtomic(function.get(), value)));
        }
        return new Parsed.Commands(List.copyOf(all));
    }

    private static Optional<Function> byCode(int code) {
        return code < BY_CODE.length ? Optional.of(BY_CODE[code]) : Optional.empty();
    }
}
