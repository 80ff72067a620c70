// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

/** Properties of a controller: CAP, VS, CC and CSTS of NVM Express Base 2.0. One thread. */
final class ControllerProperties {
    private static final int CAP = 0x00;
    private static final int VS = 0x08;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1c;

    private static final long CONTIGUOUS_QUEUES = 1 << 16;
    private static final long TIMEOUT_OF_HALF_SECONDS = 15 << 24;
    private static final long NVM_COMMANDS = 1L << 37;
    private static final long CAPABILITIES =
            DiscoveryController.QUEUE_ENTRIES - 1 | CONTIGUOUS_QUEUES | TIMEOUT_OF_HALF_SECONDS | NVM_COMMANDS;

    private static final int ENABLE = 1;
    private static final int SHUTDOWN = 3 << 14;
    private static final int SHUTDOWN_COMPLETE = 2 << 2;
    private static final int WIDE = 1;

    private static final int ATTRIBUTES_AT = 40;
    private static final int OFFSET_AT = 44;
    private static final int VALUE_AT = 48;

    private int configuration;

    /** True if the host has enabled the controller. */
    boolean enabled() {
        return (configuration & ENABLE) != 0 && (configuration & SHUTDOWN) == 0;
    }

    /** Answers Property Get; CAP has 8 bytes, all others 4. */
    long get(NvmeCommand command) throws NvmeRefusal {
        boolean wide = (command.octet(ATTRIBUTES_AT) & 7) == WIDE;
        int offset = command.doubleword(OFFSET_AT);
        if (wide != (offset == CAP)) {
            throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
        return switch (offset) {
            case CAP -> CAPABILITIES;
            case VS -> DiscoveryData.VERSION;
            case CC -> Integer.toUnsignedLong(configuration);
            case CSTS -> status();
            default -> throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        };
    }

    private long status() {
        boolean shutDown = (configuration & SHUTDOWN) != 0;
        return configuration & ENABLE | (shutDown ? SHUTDOWN_COMPLETE : 0);
    }

    /** Handles Property Set: of CC only. */
    void set(NvmeCommand command) throws NvmeRefusal {
        if ((command.octet(ATTRIBUTES_AT) & 7) == WIDE || command.doubleword(OFFSET_AT) != CC) {
            throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
        configuration = command.doubleword(VALUE_AT);
    }
}
