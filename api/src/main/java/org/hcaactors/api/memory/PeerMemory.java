// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;

/**
 * Memory of a peer device, such as a GPU, in the process's address space (Mellanox PeerDirect). It is registered like other
 * memory; its regions cannot be reregistered and cannot have windows.
 *
 * <p>Threads: any. Limits: those of {@link HostMemory}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface PeerMemory extends HostMemory {
    /**
     * Revokes the memory, as the peer's driver does, even if regions cover it: from the call on, new access under the keys of
     * its regions is refused. When the stage completes, no access is in progress and the memory is unmapped; the regions can
     * only be deregistered. A second call waits for the same end.
     */
    CompletionStage<Void> invalidate();
}
