// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.Objects;

/**
 * Destination of a datagram ({@code ibv_send_wr.wr.ud}).
 *
 * <p>Immutable.
 *
 * @param addressHandle path to the receiver's port
 * @param qpNumber the receiver's number, 24 bits; {@link #MULTICAST} for a multicast group
 * @param qkey the receiver's Q_Key; if bit 31 is set, the sender's own is used instead (IBA 10.2.5)
 */
public record UdAddress(AddressHandle addressHandle, int qpNumber, QKey qkey) {
    public static final int MULTICAST = 0xFF_FFFF;

    public UdAddress {
        Objects.requireNonNull(addressHandle, "addressHandle is null; a UD address requires an address handle");
        Objects.requireNonNull(qkey, "qkey is null; a UD address requires the receiver's Q_Key");
    }

    public static UdAddress of(AddressHandle addressHandle, int qpNumber, QKey qkey) {
        return new UdAddress(addressHandle, qpNumber, qkey);
    }
}
