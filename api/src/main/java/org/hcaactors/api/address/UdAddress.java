// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.Objects;

/**
 * Where a datagram goes ({@code ibv_send_wr.wr.ud}).
 *
 * <p>Immutable.
 *
 * @param path how to get there
 * @param qpNumber the receiver's, 24 bits; {@link #MULTICAST} for a group
 * @param qkey the receiver's queue key; with bit 31 set the sender's own is used instead (IBA 10.2.5)
 */
public record UdAddress(AddressHandle path, int qpNumber, int qkey) {
    public static final int MULTICAST = 0xFF_FFFF;

    public UdAddress {
        Objects.requireNonNull(path, "an address without a path");
    }

    public static UdAddress of(AddressHandle path, int qpNumber, int qkey) {
        return new UdAddress(path, qpNumber, qkey);
    }
}
