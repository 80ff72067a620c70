// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.fabric.packet.PortAddress;

// rule rendezvous-dc
/**
 * Source of the data of a rendezvous message over DC.
 *
 * @param port port that the message came from
 * @param target DC target on that port
 */
public record ReturnAddress(PortAddress port, RendezvousAddressHeader target) {}
