// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Remote address of an RDMA or atomic operation.
 *
 * <p>Immutable.
 *
 * @param rkey remote key from the peer
 * @param address virtual address at the peer
 */
public record RemoteAddress(int rkey, long address) {
    public RemoteAddress plus(long bytes) {
        return new RemoteAddress(rkey, address + bytes);
    }
}
