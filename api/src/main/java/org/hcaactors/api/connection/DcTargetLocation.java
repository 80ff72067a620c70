// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;

/**
 * DC target of a peer, as the peer has named it.
 *
 * <p>Immutable.
 *
 * @param gid port of the peer
 * @param dctNumber 24 bits
 * @param accessKey for requests to it
 */
public record DcTargetLocation(Gid gid, int dctNumber, DcAccessKey accessKey) {
    /**
     * Returns the destination of requests.
     *
     * @param path to {@link #gid}
     */
    public DcAddress by(AddressHandle path) {
        return DcAddress.of(path, dctNumber, accessKey);
    }
}
