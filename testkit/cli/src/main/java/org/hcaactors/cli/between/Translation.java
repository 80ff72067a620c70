// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import org.hcaactors.fabric.packet.PortAddress;

/**
 * Addresses in what one host sends to the other, and those that take their place.
 *
 * <p>Immutable.
 *
 * @param sender the host that sends
 * @param senderSeen address by which the other host knows it
 * @param receiver address by which the sender knows the other host
 * @param receiverSeen that of the other host itself
 */
record Translation(PortAddress sender, PortAddress senderSeen, PortAddress receiver, PortAddress receiverSeen) {
    /** Returns the address for the other host; any other address stays. */
    PortAddress of(PortAddress address) {
        if (address.equals(sender)) {
            return senderSeen;
        }
        return address.equals(receiver) ? receiverSeen : address;
    }
}
