// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import org.hcaactors.lab.pair.Transport;

/**
 * Settings that both ends of a perftest share, and do not send.
 *
 * @param transport RC, UC or UD
 * @param bytes length of each message; for a server, except of write_lat, of the longest one
 */
public record PerftestTerms(PerftestTool tool, Transport transport, int bytes) {
    private static final int CACHE_LINE = 64;

    /** Returns the size of the memory for one message: at least a page, and a multiple of a cache line. */
    int areaBytes(int pageBytes) {
        int needed = Math.max(bytes + transport.headroomBytes(), pageBytes);
        return (needed + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    }
}
