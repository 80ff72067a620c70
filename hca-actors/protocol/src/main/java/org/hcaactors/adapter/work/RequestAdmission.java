// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.fabric.packet.Packet;

/**
 * What a peer's request passes before anything of it is looked at, and whose memory it reaches behind: {@link LocalMemory}
 * itself where every request reaches that of the queue pair's own domain.
 */
public interface RequestAdmission {
    /** Why the next request in sequence is let in nowhere; empty if it is let in. */
    Optional<RequestRefused> refusal(Packet request, Turn turn);

    /** The way into the memory of the request that was let in last. */
    LocalMemory memory();
}
