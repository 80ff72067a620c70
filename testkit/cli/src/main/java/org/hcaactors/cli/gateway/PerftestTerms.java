// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import org.hcaactors.lab.pair.Transport;

/**
 * Settings of a perftest server, which no client sends.
 *
 * @param transport RC, UC or UD
 * @param bytes length of the longest message; with write_lat of every message
 */
public record PerftestTerms(PerftestTool tool, Transport transport, int bytes) {}
