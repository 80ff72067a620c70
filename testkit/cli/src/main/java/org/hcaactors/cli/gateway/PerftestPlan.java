// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import org.hcaactors.api.address.PathMtu;

/**
 * Task of the client of a perftest.
 *
 * @param mtu largest path MTU; that of the cable and the server's also bound it
 * @param queuePairs 1 to {@value #MOST_QUEUE_PAIRS}; in a latency test 1
 * @param iterations messages of each queue pair, at least 1; in a latency test at least 2
 */
public record PerftestPlan(PerftestTerms terms, PathMtu mtu, int queuePairs, long iterations) {
    /** Maximum number of queue pairs. */
    public static final int MOST_QUEUE_PAIRS = 64;
}
