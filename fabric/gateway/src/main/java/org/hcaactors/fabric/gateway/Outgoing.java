// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * A packet on its way out.
 *
 * @param damagedFrame its frame, if its ICRC is wrong
 * @param event its arrival at the border, if it is traced
 */
record Outgoing(Packet packet, Optional<Octets> damagedFrame, OptionalLong event) {}
