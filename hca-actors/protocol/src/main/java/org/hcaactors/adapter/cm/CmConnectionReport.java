// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import org.hcaactors.fabric.packet.PortAddress;

/**
 * One connection as its adapter knows it.
 *
 * @param remoteCommId communication ID of the peer, 0 while it is unknown
 * @param remoteQpn queue pair of the peer, 0 while it is unknown
 */
public record CmConnectionReport(
        int commId, PortAddress peer, int remoteCommId, int localQpn, int remoteQpn, CmState state) {}
