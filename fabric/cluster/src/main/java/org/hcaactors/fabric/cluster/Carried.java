// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * A packet between nodes.
 *
 * @param damagedFrame its frame, if its ICRC is wrong
 */
record Carried(Packet packet, Optional<Octets> damagedFrame) {}
