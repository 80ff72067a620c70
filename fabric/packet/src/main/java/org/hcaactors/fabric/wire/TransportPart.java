// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicSize;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded.Malformed;
import org.hcaactors.fabric.wire.Decoded.Problem;

/** The part of a packet between the UDP header and the ICRC: transport headers, payload and pad (rule wire-frame). */
sealed interface TransportPart {
    /** Bytes up to the end of the header that identifies the transport of a shared opcode. */
    int IDENTIFYING_BYTES = Bth.LENGTH_BYTES + HeaderKind.ATOMIC_SIZE.lengthBytes();

    int SOLICITED = 0x80;

    /** Indices count from the start of the array. */
    record Valid(Bth bth, List<ExtendedHeader> extended, int payloadAt, int payloadBytes, int padBytes)
            implements TransportPart {
        /** @param bytes the array that was read; the packet's payload is a slice of it */
        Packet packet(byte[] bytes, Route route) {
            return new Packet(route, bth, extended, Octets.wrap(bytes, payloadAt, payloadBytes));
        }

        int padAt() {
            return payloadAt + payloadBytes;
        }
    }

    record Invalid(Malformed defect) implements TransportPart {
        private static Invalid of(Problem problem, String detail) {
            return new Invalid(new Malformed(problem, detail));
        }
    }

    /**
     * Reads the part.
     *
     * @param start of the BTH
     * @param icrcAt its end, at least the length of a BTH later
     */
    static TransportPart read(byte[] bytes, int start, int icrcAt) {
        if (Opcode.isShared(bytes[start]) && icrcAt - start < IDENTIFYING_BYTES) {
            return Invalid.of(
                    Problem.BAD_LENGTH,
                    "opcode 0x%02x needs %d bytes of headers to tell its transport; the frame has %d"
                            .formatted(bytes[start], IDENTIFYING_BYTES, icrcAt - start));
        }
        return opcode(bytes, start)
                .map(opcode -> read(bytes, start, icrcAt, opcode))
                .orElseGet(() -> Invalid.of(Problem.UNKNOWN_OPCODE, unknown(bytes, start)));
    }

    private static TransportPart read(byte[] bytes, int start, int icrcAt, Opcode opcode) {
        int headers = Bth.LENGTH_BYTES + opcode.extendedBytes();
        int pad = bytes[start + 1] >> 4 & 3;
        int payload = icrcAt - start - headers - pad;
        if (payload < 0) {
            return Invalid.of(
                    Problem.BAD_LENGTH,
                    opcode + " needs " + (headers + pad) + " bytes of headers and pad; the frame has "
                            + (icrcAt - start));
        }
        if (payload > 0 && !opcode.carriesPayload()) {
            return Invalid.of(Problem.UNEXPECTED_PAYLOAD, opcode + " with " + payload + " bytes of payload");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, start, headers);
        Bth bth = TransportHeaders.readBth(in, opcode);
        return new Valid(bth, TransportHeaders.readExtended(in, opcode), start + headers, payload, pad);
    }

    // rules wire-masked-atomic, wire-xrc-masked, wire-dc-masked, wire-dc-connect
    /** Returns the opcode; of a shared one, the identifying bytes must be present. */
    static Optional<Opcode> opcode(byte[] bytes, int start) {
        int code = bytes[start];
        Optional<Opcode> opcode = Opcode.isShared(code)
                ? TransportClass.numbered(prefix(bytes, start).transport())
                        .flatMap(transport -> Opcode.of(transport, code))
                : Opcode.of(code);
        return opcode.map(found -> found.solicited((bytes[start + 1] & SOLICITED) != 0));
    }

    /** Returns an unknown opcode as text. */
    static String unknown(byte[] bytes, int start) {
        String opcode = "opcode 0x%02x".formatted(bytes[start]);
        return Opcode.isShared(bytes[start])
                ? opcode + " of transport " + prefix(bytes, start).transport()
                : opcode;
    }

    private static AtomicSize prefix(byte[] bytes, int start) {
        return TransportHeaders.size(ByteBuffer.wrap(bytes).getInt(start + Bth.LENGTH_BYTES));
    }
}
