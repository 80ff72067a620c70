package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/**
 * A packet on its way, as an interceptor sees it.
 *
 * @param fromPort name of the sending port
 * @param toPort name of the receiving port
 * @param packet as sent
 * @param nanos on the network's clock
 */
public record Transit(String fromPort, String toPort, Packet packet, long nanos) {}
