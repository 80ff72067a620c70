// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

/** Statuses of completions, with the codes of Linux's include/linux/nvme.h. Immutable. */
public enum NvmeStatus {
    SUCCESS(0),
    INVALID_OPCODE(0x001),
    INVALID_FIELD(0x002),
    COMMAND_SEQUENCE_ERROR(0x00c),
    DATA_SGL_LENGTH_INVALID(0x00f),
    SGL_DESCRIPTOR_TYPE_INVALID(0x011),
    ASYNC_EVENT_LIMIT_EXCEEDED(0x105),
    INVALID_LOG_PAGE(0x109),
    CONNECT_INCOMPATIBLE_FORMAT(0x180),
    CONNECT_INVALID_PARAMETERS(0x182);

    /** Do Not Retry: the same command would fail again. */
    private static final int DO_NOT_RETRY = 1 << 15;

    private final int code;

    NvmeStatus(int code) {
        this.code = code;
    }

    /** Returns the 16 bits of the status field; the phase tag, its lowest bit, has no meaning over fabrics. */
    public int field() {
        return this == SUCCESS ? 0 : code << 1 | DO_NOT_RETRY;
    }
}
