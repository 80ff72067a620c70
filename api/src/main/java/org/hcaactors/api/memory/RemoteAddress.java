// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Where an RDMA or atomic operation lands at the peer.
 *
 * <p>Immutable.
 *
 * @param rkey remote key that the peer handed out
 * @param address virtual address at the peer
 */
public record RemoteAddress(int rkey, long address) {
    public RemoteAddress plus(long bytes) {
        return new RemoteAddress(rkey, address + bytes);
    }
}
