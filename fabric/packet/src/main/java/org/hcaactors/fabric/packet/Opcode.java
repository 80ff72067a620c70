// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The opcodes that this fabric carries, each with its extended headers in wire order (rules wire-opcodes, wire-xrc-requests,
 * wire-dc-class).
 */
public enum Opcode {
    RC_SEND_FIRST(TransportClass.RC, Operation.SEND_FIRST),
    RC_SEND_MIDDLE(TransportClass.RC, Operation.SEND_MIDDLE),
    RC_SEND_LAST(TransportClass.RC, Operation.SEND_LAST),
    RC_SEND_LAST_IMM(TransportClass.RC, Operation.SEND_LAST_IMM, HeaderKind.IMMEDIATE),
    RC_SEND_ONLY(TransportClass.RC, Operation.SEND_ONLY),
    RC_SEND_ONLY_IMM(TransportClass.RC, Operation.SEND_ONLY_IMM, HeaderKind.IMMEDIATE),
    RC_WRITE_FIRST(TransportClass.RC, Operation.WRITE_FIRST, HeaderKind.RETH),
    RC_WRITE_MIDDLE(TransportClass.RC, Operation.WRITE_MIDDLE),
    RC_WRITE_LAST(TransportClass.RC, Operation.WRITE_LAST),
    RC_WRITE_LAST_IMM(TransportClass.RC, Operation.WRITE_LAST_IMM, HeaderKind.IMMEDIATE),
    RC_WRITE_ONLY(TransportClass.RC, Operation.WRITE_ONLY, HeaderKind.RETH),
    RC_WRITE_ONLY_IMM(TransportClass.RC, Operation.WRITE_ONLY_IMM, HeaderKind.RETH, HeaderKind.IMMEDIATE),
    RC_READ_REQUEST(TransportClass.RC, Operation.READ_REQUEST, HeaderKind.RETH),
    RC_READ_RESPONSE_FIRST(TransportClass.RC, Operation.READ_RESPONSE_FIRST, HeaderKind.AETH),
    RC_READ_RESPONSE_MIDDLE(TransportClass.RC, Operation.READ_RESPONSE_MIDDLE),
    RC_READ_RESPONSE_LAST(TransportClass.RC, Operation.READ_RESPONSE_LAST, HeaderKind.AETH),
    RC_READ_RESPONSE_ONLY(TransportClass.RC, Operation.READ_RESPONSE_ONLY, HeaderKind.AETH),
    RC_ACKNOWLEDGE(TransportClass.RC, Operation.ACKNOWLEDGE, HeaderKind.AETH),
    RC_ATOMIC_ACKNOWLEDGE(TransportClass.RC, Operation.ATOMIC_ACKNOWLEDGE, HeaderKind.AETH, HeaderKind.ATOMIC_ACK_ETH),
    RC_COMPARE_SWAP(TransportClass.RC, Operation.COMPARE_SWAP, HeaderKind.ATOMIC_ETH),
    RC_FETCH_ADD(TransportClass.RC, Operation.FETCH_ADD, HeaderKind.ATOMIC_ETH),
    RC_MASKED_COMPARE_SWAP(
            TransportClass.RC, Operation.MASKED_COMPARE_SWAP, HeaderKind.ATOMIC_SIZE, HeaderKind.ATOMIC_ADDRESS),
    RC_MASKED_FETCH_ADD(
            TransportClass.RC, Operation.MASKED_FETCH_ADD, HeaderKind.ATOMIC_SIZE, HeaderKind.ATOMIC_ADDRESS),
    RC_SEND_LAST_INV(TransportClass.RC, Operation.SEND_LAST_INV, HeaderKind.IETH),
    RC_SEND_ONLY_INV(TransportClass.RC, Operation.SEND_ONLY_INV, HeaderKind.IETH),
    UC_SEND_FIRST(TransportClass.UC, Operation.SEND_FIRST),
    UC_SEND_MIDDLE(TransportClass.UC, Operation.SEND_MIDDLE),
    UC_SEND_LAST(TransportClass.UC, Operation.SEND_LAST),
    UC_SEND_LAST_IMM(TransportClass.UC, Operation.SEND_LAST_IMM, HeaderKind.IMMEDIATE),
    UC_SEND_ONLY(TransportClass.UC, Operation.SEND_ONLY),
    UC_SEND_ONLY_IMM(TransportClass.UC, Operation.SEND_ONLY_IMM, HeaderKind.IMMEDIATE),
    UC_WRITE_FIRST(TransportClass.UC, Operation.WRITE_FIRST, HeaderKind.RETH),
    UC_WRITE_MIDDLE(TransportClass.UC, Operation.WRITE_MIDDLE),
    UC_WRITE_LAST(TransportClass.UC, Operation.WRITE_LAST),
    UC_WRITE_LAST_IMM(TransportClass.UC, Operation.WRITE_LAST_IMM, HeaderKind.IMMEDIATE),
    UC_WRITE_ONLY(TransportClass.UC, Operation.WRITE_ONLY, HeaderKind.RETH),
    UC_WRITE_ONLY_IMM(TransportClass.UC, Operation.WRITE_ONLY_IMM, HeaderKind.RETH, HeaderKind.IMMEDIATE),
    UD_SEND_ONLY(TransportClass.UD, Operation.SEND_ONLY, HeaderKind.DETH),
    UD_SEND_ONLY_IMM(TransportClass.UD, Operation.SEND_ONLY_IMM, HeaderKind.DETH, HeaderKind.IMMEDIATE),
    CNP(TransportClass.CNP, Operation.NOTIFY),
    XRC_SEND_FIRST(TransportClass.XRC, Operation.SEND_FIRST, HeaderKind.XRC_ETH),
    XRC_SEND_MIDDLE(TransportClass.XRC, Operation.SEND_MIDDLE, HeaderKind.XRC_ETH),
    XRC_SEND_LAST(TransportClass.XRC, Operation.SEND_LAST, HeaderKind.XRC_ETH),
    XRC_SEND_LAST_IMM(TransportClass.XRC, Operation.SEND_LAST_IMM, HeaderKind.XRC_ETH, HeaderKind.IMMEDIATE),
    XRC_SEND_ONLY(TransportClass.XRC, Operation.SEND_ONLY, HeaderKind.XRC_ETH),
    XRC_SEND_ONLY_IMM(TransportClass.XRC, Operation.SEND_ONLY_IMM, HeaderKind.XRC_ETH, HeaderKind.IMMEDIATE),
    XRC_WRITE_FIRST(TransportClass.XRC, Operation.WRITE_FIRST, HeaderKind.XRC_ETH, HeaderKind.RETH),
    XRC_WRITE_MIDDLE(TransportClass.XRC, Operation.WRITE_MIDDLE, HeaderKind.XRC_ETH),
    XRC_WRITE_LAST(TransportClass.XRC, Operation.WRITE_LAST, HeaderKind.XRC_ETH),
    XRC_WRITE_LAST_IMM(TransportClass.XRC, Operation.WRITE_LAST_IMM, HeaderKind.XRC_ETH, HeaderKind.IMMEDIATE),
    XRC_WRITE_ONLY(TransportClass.XRC, Operation.WRITE_ONLY, HeaderKind.XRC_ETH, HeaderKind.RETH),
    XRC_WRITE_ONLY_IMM(
            TransportClass.XRC, Operation.WRITE_ONLY_IMM, HeaderKind.XRC_ETH, HeaderKind.RETH, HeaderKind.IMMEDIATE),
    XRC_READ_REQUEST(TransportClass.XRC, Operation.READ_REQUEST, HeaderKind.XRC_ETH, HeaderKind.RETH),
    XRC_READ_RESPONSE_FIRST(TransportClass.XRC, Operation.READ_RESPONSE_FIRST, HeaderKind.AETH),
    XRC_READ_RESPONSE_MIDDLE(TransportClass.XRC, Operation.READ_RESPONSE_MIDDLE),
    XRC_READ_RESPONSE_LAST(TransportClass.XRC, Operation.READ_RESPONSE_LAST, HeaderKind.AETH),
    XRC_READ_RESPONSE_ONLY(TransportClass.XRC, Operation.READ_RESPONSE_ONLY, HeaderKind.AETH),
    XRC_ACKNOWLEDGE(TransportClass.XRC, Operation.ACKNOWLEDGE, HeaderKind.AETH),
    XRC_ATOMIC_ACKNOWLEDGE(
            TransportClass.XRC, Operation.ATOMIC_ACKNOWLEDGE, HeaderKind.AETH, HeaderKind.ATOMIC_ACK_ETH),
    XRC_COMPARE_SWAP(TransportClass.XRC, Operation.COMPARE_SWAP, HeaderKind.XRC_ETH, HeaderKind.ATOMIC_ETH),
    XRC_FETCH_ADD(TransportClass.XRC, Operation.FETCH_ADD, HeaderKind.XRC_ETH, HeaderKind.ATOMIC_ETH),
    // rule wire-xrc-masked
    XRC_MASKED_COMPARE_SWAP(
            TransportClass.XRC,
            Operation.MASKED_COMPARE_SWAP,
            HeaderKind.ATOMIC_SIZE,
            HeaderKind.XRC_ETH,
            HeaderKind.ATOMIC_ADDRESS),
    XRC_MASKED_FETCH_ADD(
            TransportClass.XRC,
            Operation.MASKED_FETCH_ADD,
            HeaderKind.ATOMIC_SIZE,
            HeaderKind.XRC_ETH,
            HeaderKind.ATOMIC_ADDRESS),
    XRC_SEND_LAST_INV(TransportClass.XRC, Operation.SEND_LAST_INV, HeaderKind.XRC_ETH, HeaderKind.IETH),
    XRC_SEND_ONLY_INV(TransportClass.XRC, Operation.SEND_ONLY_INV, HeaderKind.XRC_ETH, HeaderKind.IETH),
    DC_SEND_FIRST(TransportClass.DC, Operation.SEND_FIRST, HeaderKind.DC_ETH),
    DC_SEND_MIDDLE(TransportClass.DC, Operation.SEND_MIDDLE, HeaderKind.DC_ETH),
    DC_SEND_LAST(TransportClass.DC, Operation.SEND_LAST, HeaderKind.DC_ETH),
    DC_SEND_LAST_IMM(TransportClass.DC, Operation.SEND_LAST_IMM, HeaderKind.DC_ETH, HeaderKind.IMMEDIATE),
    DC_SEND_ONLY(TransportClass.DC, Operation.SEND_ONLY, HeaderKind.DC_ETH),
    DC_SEND_ONLY_IMM(TransportClass.DC, Operation.SEND_ONLY_IMM, HeaderKind.DC_ETH, HeaderKind.IMMEDIATE),
    DC_WRITE_FIRST(TransportClass.DC, Operation.WRITE_FIRST, HeaderKind.DC_ETH, HeaderKind.RETH),
    DC_WRITE_MIDDLE(TransportClass.DC, Operation.WRITE_MIDDLE, HeaderKind.DC_ETH),
    DC_WRITE_LAST(TransportClass.DC, Operation.WRITE_LAST, HeaderKind.DC_ETH),
    DC_WRITE_LAST_IMM(TransportClass.DC, Operation.WRITE_LAST_IMM, HeaderKind.DC_ETH, HeaderKind.IMMEDIATE),
    DC_WRITE_ONLY(TransportClass.DC, Operation.WRITE_ONLY, HeaderKind.DC_ETH, HeaderKind.RETH),
    DC_WRITE_ONLY_IMM(
            TransportClass.DC, Operation.WRITE_ONLY_IMM, HeaderKind.DC_ETH, HeaderKind.RETH, HeaderKind.IMMEDIATE),
    DC_READ_REQUEST(TransportClass.DC, Operation.READ_REQUEST, HeaderKind.DC_ETH, HeaderKind.RETH),
    DC_READ_RESPONSE_FIRST(TransportClass.DC, Operation.READ_RESPONSE_FIRST, HeaderKind.DC_ETH, HeaderKind.AETH),
    DC_READ_RESPONSE_MIDDLE(TransportClass.DC, Operation.READ_RESPONSE_MIDDLE, HeaderKind.DC_ETH),
    DC_READ_RESPONSE_LAST(TransportClass.DC, Operation.READ_RESPONSE_LAST, HeaderKind.DC_ETH, HeaderKind.AETH),
    DC_READ_RESPONSE_ONLY(TransportClass.DC, Operation.READ_RESPONSE_ONLY, HeaderKind.DC_ETH, HeaderKind.AETH),
    DC_ACKNOWLEDGE(TransportClass.DC, Operation.ACKNOWLEDGE, HeaderKind.DC_ETH, HeaderKind.AETH),
    DC_ATOMIC_ACKNOWLEDGE(
            TransportClass.DC,
            Operation.ATOMIC_ACKNOWLEDGE,
            HeaderKind.DC_ETH,
            HeaderKind.AETH,
            HeaderKind.ATOMIC_ACK_ETH),
    DC_COMPARE_SWAP(TransportClass.DC, Operation.COMPARE_SWAP, HeaderKind.DC_ETH, HeaderKind.ATOMIC_ETH),
    DC_FETCH_ADD(TransportClass.DC, Operation.FETCH_ADD, HeaderKind.DC_ETH, HeaderKind.ATOMIC_ETH),
    // rule wire-dc-masked
    DC_MASKED_COMPARE_SWAP(
            TransportClass.DC,
            Operation.MASKED_COMPARE_SWAP,
            HeaderKind.ATOMIC_SIZE,
            HeaderKind.DC_ETH,
            HeaderKind.ATOMIC_ADDRESS),
    DC_MASKED_FETCH_ADD(
            TransportClass.DC,
            Operation.MASKED_FETCH_ADD,
            HeaderKind.ATOMIC_SIZE,
            HeaderKind.DC_ETH,
            HeaderKind.ATOMIC_ADDRESS),
    DC_SEND_LAST_INV(TransportClass.DC, Operation.SEND_LAST_INV, HeaderKind.DC_ETH, HeaderKind.IETH),
    DC_SEND_ONLY_INV(TransportClass.DC, Operation.SEND_ONLY_INV, HeaderKind.DC_ETH, HeaderKind.IETH),
    DC_CONNECT(TransportClass.DC, Operation.CONNECT, HeaderKind.DC_ETH, HeaderKind.DC_CONNECT_ETH),
    DC_DISCONNECT(TransportClass.DC, Operation.DISCONNECT, HeaderKind.DC_ETH);

    /** Bits 7 to 5 of the manufacturer-defined opcodes (IBA 9.2.1). */
    private static final int MANUFACTURERS = 0xC0;

    private static final Optional<Opcode>[] BY_TRANSPORT_AND_CODE = index();

    private static final int OPERATIONS = Operation.values().length;

    private static final @Nullable Opcode[] BY_OPERATION = operations();

    /** By code: true if several transports have an opcode of it. */
    private static final boolean[] SHARED_CODES = sharedCodes();

    private final TransportClass transport;
    private final Operation operation;
    private final List<HeaderKind> extended;
    private final int extendedBytes;
    private final boolean carriesPayload;

    Opcode(TransportClass transport, Operation operation, HeaderKind... extended) {
        this.transport = transport;
        this.operation = operation;
        this.extended = List.of(extended);
        this.extendedBytes =
                this.extended.stream().mapToInt(HeaderKind::lengthBytes).sum();
        this.carriesPayload = operation.isSend()
                || operation.isWrite()
                || operation.isReadResponse()
                || operation.isMasked()
                || operation == Operation.ATOMIC_ACKNOWLEDGE
                || operation == Operation.NOTIFY;
    }

    /**
     * Returns the opcode of that code, whose bits 7 to 5 are its transport; empty if this fabric does not carry it, or if
     * several transports share the code. Of the two opcodes that the solicited bit distinguishes, returns the one without the
     * bit, see {@link #solicited}.
     */
    public static Optional<Opcode> of(int code) {
        return TransportClass.numbered((code & 0xFF) >>> 5).flatMap(transport -> of(transport, code));
    }

    // rule wire-masked-atomic
    /** True if several transports have an opcode of that code: the header after the BTH decides, not the code's bits. */
    public static boolean isShared(int code) {
        return SHARED_CODES[code & 0xFF];
    }

    private static boolean[] sharedCodes() {
        boolean[] shared = new boolean[1 << Byte.SIZE];
        for (Opcode opcode : values()) {
            shared[opcode.code()] |= opcode.operation.isMasked();
        }
        return shared;
    }

    /** Returns the opcode of that code on that transport, like {@link #of(int)}; empty if the transport does not have it. */
    public static Optional<Opcode> of(TransportClass transport, int code) {
        return BY_TRANSPORT_AND_CODE[index(transport, code)];
    }

    // rule wire-dc-connect
    /**
     * Returns the opcode of a packet with this code and that solicited bit: CONNECT and DISCONNECT share a code, all others
     * have their own.
     */
    public Opcode solicited(boolean bit) {
        return isSelectedBySolicited() ? bit ? DC_DISCONNECT : DC_CONNECT : this;
    }

    /** True if the solicited bit distinguishes this opcode from another with the same code; the bit then requests no event. */
    public boolean isSelectedBySolicited() {
        return this == DC_CONNECT || this == DC_DISCONNECT;
    }

    /**
     * Returns the opcode of {@code operation} on that transport.
     *
     * @throws IllegalArgumentException if the transport has no such operation
     */
    public static Opcode of(TransportClass transport, Operation operation) {
        Opcode found = BY_OPERATION[index(transport, operation)];
        if (found == null) {
            throw new IllegalArgumentException(transport + " has no " + operation);
        }
        return found;
    }

    /** Returns the code, 8 bits. */
    public int code() {
        return code(transport, operation);
    }

    private static int code(TransportClass transport, Operation operation) {
        return (operation.isMasked() ? MANUFACTURERS : transport.bits()) | operation.code();
    }

    public TransportClass transport() {
        return transport;
    }

    public Operation operation() {
        return operation;
    }

    public List<HeaderKind> extended() {
        return extended;
    }

    /** True if these are the headers of this opcode, in its order. */
    boolean hasHeaders(List<ExtendedHeader> headers) {
        boolean same = headers.size() == extended.size();
        for (int i = 0; same && i < extended.size(); i++) {
            same = headers.get(i).kind() == extended.get(i);
        }
        return same;
    }

    /** Returns the total length of all extended headers. */
    public int extendedBytes() {
        return extendedBytes;
    }

    /** False for READ requests, acknowledgements and plain atomics. */
    public boolean carriesPayload() {
        return carriesPayload;
    }

    private static @Nullable Opcode[] operations() {
        @Nullable Opcode[] table = new Opcode[TransportClass.values().length * OPERATIONS];
        for (Opcode opcode : values()) {
            table[index(opcode.transport, opcode.operation)] = opcode;
        }
        return table;
    }

    private static int index(TransportClass transport, Operation operation) {
        return transport.ordinal() * OPERATIONS + operation.ordinal();
    }

    private static Optional<Opcode>[] index() {
        @SuppressWarnings({"unchecked", "rawtypes"})
        Optional<Opcode>[] table = new Optional[TransportClass.values().length << Byte.SIZE];
        Arrays.fill(table, Optional.empty());
        for (Opcode opcode : values()) {
            int at = index(opcode.transport, opcode.code());
            // CONNECT is declared before DISCONNECT, so the shared code maps to it.
            table[at] = table[at].or(() -> Optional.of(opcode));
        }
        return table;
    }

    private static int index(TransportClass transport, int code) {
        return transport.ordinal() << Byte.SIZE | code & 0xFF;
    }
}
