// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/**
 * A packet in transit, as an interceptor receives it.
 *
 * @param fromPort name of the sending port
 * @param fromQp number of the sending queue pair, which RC and UC packets do not carry
 * @param toPort name of the receiving port
 * @param packet as sent
 * @param nanos on the network's clock
 */
public record PacketInTransit(String fromPort, int fromQp, String toPort, Packet packet, long nanos) {}
