package org.hcaactors.fabric.packet;

/** Bits 4 to 0 of the opcode: what a packet does, whatever its transport (wire-formats 1.3). */
public enum Operation {
    SEND_FIRST(0x00, Place.FIRST),
    SEND_MIDDLE(0x01, Place.MIDDLE),
    SEND_LAST(0x02, Place.LAST),
    SEND_LAST_IMM(0x03, Place.LAST),
    SEND_ONLY(0x04, Place.ONLY),
    SEND_ONLY_IMM(0x05, Place.ONLY),
    WRITE_FIRST(0x06, Place.FIRST),
    WRITE_MIDDLE(0x07, Place.MIDDLE),
    WRITE_LAST(0x08, Place.LAST),
    WRITE_LAST_IMM(0x09, Place.LAST),
    WRITE_ONLY(0x0A, Place.ONLY),
    WRITE_ONLY_IMM(0x0B, Place.ONLY),
    READ_REQUEST(0x0C, Place.ONLY),
    READ_RESPONSE_FIRST(0x0D, Place.FIRST),
    READ_RESPONSE_MIDDLE(0x0E, Place.MIDDLE),
    READ_RESPONSE_LAST(0x0F, Place.LAST),
    READ_RESPONSE_ONLY(0x10, Place.ONLY),
    ACKNOWLEDGE(0x11, Place.ONLY),
    ATOMIC_ACKNOWLEDGE(0x12, Place.ONLY),
    COMPARE_SWAP(0x13, Place.ONLY),
    FETCH_ADD(0x14, Place.ONLY),
    SEND_LAST_INV(0x16, Place.LAST),
    SEND_ONLY_INV(0x17, Place.ONLY),
    /** Congestion notification: a class of its own, code 0x81 (wire-formats 1.9). */
    NOTIFY(0x01, Place.ONLY);

    /** Where in its message a packet stands. */
    public enum Place {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }

    private final int code;
    private final Place place;

    Operation(int code, Place place) {
        this.code = code;
        this.place = place;
    }

    public int code() {
        return code;
    }

    public Place place() {
        return place;
    }

    /** Starts a message: First or Only. */
    public boolean starts() {
        return place == Place.FIRST || place == Place.ONLY;
    }

    /** Ends a message: Last or Only. */
    public boolean ends() {
        return place == Place.LAST || place == Place.ONLY;
    }

    public boolean isSend() {
        return switch (this) {
            case SEND_FIRST,
                    SEND_MIDDLE,
                    SEND_LAST,
                    SEND_LAST_IMM,
                    SEND_ONLY,
                    SEND_ONLY_IMM,
                    SEND_LAST_INV,
                    SEND_ONLY_INV -> true;
            case WRITE_FIRST,
                    WRITE_MIDDLE,
                    WRITE_LAST,
                    WRITE_LAST_IMM,
                    WRITE_ONLY,
                    WRITE_ONLY_IMM,
                    READ_REQUEST,
                    READ_RESPONSE_FIRST,
                    READ_RESPONSE_MIDDLE,
                    READ_RESPONSE_LAST,
                    READ_RESPONSE_ONLY,
                    ACKNOWLEDGE,
                    ATOMIC_ACKNOWLEDGE,
                    COMPARE_SWAP,
                    FETCH_ADD,
                    NOTIFY -> false;
        };
    }

    public boolean isWrite() {
        return switch (this) {
            case WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, WRITE_LAST_IMM, WRITE_ONLY, WRITE_ONLY_IMM -> true;
            case SEND_FIRST,
                    SEND_MIDDLE,
                    SEND_LAST,
                    SEND_LAST_IMM,
                    SEND_ONLY,
                    SEND_ONLY_IMM,
                    SEND_LAST_INV,
                    SEND_ONLY_INV,
                    READ_REQUEST,
                    READ_RESPONSE_FIRST,
                    READ_RESPONSE_MIDDLE,
                    READ_RESPONSE_LAST,
                    READ_RESPONSE_ONLY,
                    ACKNOWLEDGE,
                    ATOMIC_ACKNOWLEDGE,
                    COMPARE_SWAP,
                    FETCH_ADD,
                    NOTIFY -> false;
        };
    }

    public boolean isReadResponse() {
        return code >= READ_RESPONSE_FIRST.code && code <= READ_RESPONSE_ONLY.code;
    }

    /** Travels from responder to requester. */
    public boolean isResponse() {
        return code >= READ_RESPONSE_FIRST.code && code <= ATOMIC_ACKNOWLEDGE.code;
    }

    public boolean carriesImmediate() {
        return this == SEND_LAST_IMM || this == SEND_ONLY_IMM || this == WRITE_LAST_IMM || this == WRITE_ONLY_IMM;
    }
}
