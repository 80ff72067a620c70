// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;

/**
 * Queue pair of a datagram service, as a peer has named it.
 *
 * <p>Immutable.
 *
 * @param gid port of the peer
 * @param qpNumber 24 bits
 * @param qkey for datagrams to it
 */
public record DatagramAddress(Gid gid, int qpNumber, QKey qkey) {
    /**
     * Returns the destination of datagrams.
     *
     * @param path to {@link #gid}
     */
    public UdAddress by(AddressHandle path) {
        return UdAddress.of(path, qpNumber, qkey);
    }
}
