// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.fabric.packet.PortAddress;

// rule rendezvous-dc
/**
 * Whom data are to be asked for that a message over DC has left with its sender.
 *
 * @param port that the message came from
 * @param target on that port
 */
public record ReturnAddress(PortAddress port, RendezvousAddressHeader target) {}
