// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import org.hcaactors.mutation.MutationPoint;

/** Bits 4 to 0 of the opcode: the operation of a packet, independent of its transport (rule wire-opcodes). */
public enum Operation {
    SEND_FIRST(0x00, Place.FIRST, Family.SEND),
    SEND_MIDDLE(0x01, Place.MIDDLE, Family.SEND),
    SEND_LAST(0x02, Place.LAST, Family.SEND),
    SEND_LAST_IMM(0x03, Place.LAST, Family.SEND),
    SEND_ONLY(0x04, Place.ONLY, Family.SEND),
    SEND_ONLY_IMM(0x05, Place.ONLY, Family.SEND),
    WRITE_FIRST(0x06, Place.FIRST, Family.WRITE),
    WRITE_MIDDLE(0x07, Place.MIDDLE, Family.WRITE),
    WRITE_LAST(0x08, Place.LAST, Family.WRITE),
    WRITE_LAST_IMM(0x09, Place.LAST, Family.WRITE),
    WRITE_ONLY(0x0A, Place.ONLY, Family.WRITE),
    WRITE_ONLY_IMM(0x0B, Place.ONLY, Family.WRITE),
    READ_REQUEST(0x0C, Place.ONLY, Family.READ),
    READ_RESPONSE_FIRST(0x0D, Place.FIRST, Family.READ_RESPONSE),
    READ_RESPONSE_MIDDLE(0x0E, Place.MIDDLE, Family.READ_RESPONSE),
    READ_RESPONSE_LAST(0x0F, Place.LAST, Family.READ_RESPONSE),
    READ_RESPONSE_ONLY(0x10, Place.ONLY, Family.READ_RESPONSE),
    ACKNOWLEDGE(0x11, Place.ONLY, Family.ACKNOWLEDGE),
    ATOMIC_ACKNOWLEDGE(0x12, Place.ONLY, Family.ATOMIC_ACKNOWLEDGE),
    COMPARE_SWAP(0x13, Place.ONLY, Family.ATOMIC),
    FETCH_ADD(0x14, Place.ONLY, Family.ATOMIC),
    /** A class of its own, code 0xD3 (rule wire-masked-atomic). */
    MASKED_COMPARE_SWAP(0x13, Place.ONLY, Family.ATOMIC),
    /** A class of its own, code 0xD4 (rule wire-masked-atomic). */
    MASKED_FETCH_ADD(0x14, Place.ONLY, Family.ATOMIC),
    /** Opens a session, or requests it again; DC only (rule wire-dc-connect). */
    CONNECT(0x15, Place.ONLY, Family.SESSION),
    /** Ends a session. The solicited bit distinguishes it from CONNECT; DC only (rule wire-dc-connect). */
    DISCONNECT(0x15, Place.ONLY, Family.SESSION),
    SEND_LAST_INV(0x16, Place.LAST, Family.SEND_WITH_INVALIDATE),
    SEND_ONLY_INV(0x17, Place.ONLY, Family.SEND_WITH_INVALIDATE),
    /** Congestion notification: a class of its own, code 0x81 (rule wire-opcodes). */
    NOTIFY(0x01, Place.ONLY, Family.NOTIFY);

    /** Position of a packet in its message. */
    public enum Place {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }

    /** Operation of a packet, independent of its position and immediate data. */
    public enum Family {
        SEND,
        SEND_WITH_INVALIDATE,
        WRITE,
        READ,
        READ_RESPONSE,
        ATOMIC,
        ATOMIC_ACKNOWLEDGE,
        ACKNOWLEDGE,
        NOTIFY,
        // rules dc-connect, dc-disconnect
        /** Opens and ends sessions: no message, no payload. DISCONNECT takes a PSN, CONNECT has none of its own. */
        SESSION
    }

    private final int code;
    private final Place place;
    private final Family family;

    Operation(int code, Place place, Family family) {
        this.code = code;
        this.place = place;
        this.family = family;
    }

    public int code() {
        return code;
    }

    public Place place() {
        return place;
    }

    public Family family() {
        return family;
    }

    /** Starts a message: First or Only. */
    @MutationPoint("operation.starts")
    public boolean starts() {
        return place == Place.FIRST || place == Place.ONLY;
    }

    /** Ends a message: Last or Only. */
    public boolean ends() {
        return place == Place.LAST || place == Place.ONLY;
    }

    public boolean isSend() {
        return family == Family.SEND || family == Family.SEND_WITH_INVALIDATE;
    }

    public boolean isWrite() {
        return family == Family.WRITE;
    }

    public boolean isReadResponse() {
        return family == Family.READ_RESPONSE;
    }

    /** True for an atomic whose operands have masks and an explicit size. */
    public boolean isMasked() {
        return this == MASKED_COMPARE_SWAP || this == MASKED_FETCH_ADD;
    }

    /** True if the packet travels from responder to requester. */
    public boolean isResponse() {
        return family == Family.READ_RESPONSE || family == Family.ACKNOWLEDGE || family == Family.ATOMIC_ACKNOWLEDGE;
    }

    public boolean carriesImmediate() {
        return this == SEND_LAST_IMM || this == SEND_ONLY_IMM || this == WRITE_LAST_IMM || this == WRITE_ONLY_IMM;
    }
}
