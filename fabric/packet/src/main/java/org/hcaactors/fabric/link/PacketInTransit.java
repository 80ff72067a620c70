// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/**
 * A packet on its way, as an interceptor sees it.
 *
 * @param fromPort name of the sending port
 * @param fromQp number of the sending queue pair, which no RC or UC packet carries
 * @param toPort name of the receiving port
 * @param packet as sent
 * @param nanos on the network's clock
 */
public record PacketInTransit(String fromPort, int fromQp, String toPort, Packet packet, long nanos) {}
