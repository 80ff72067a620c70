// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;

/**
 * Memory of a peer device, as a GPU's, that the process sees in its address space (Mellanox PeerDirect). It is registered as
 * other memory is, and its regions can neither be re-registered nor have windows.
 *
 * <p>Threads: any. Limits: those of {@link HostMemory}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface PeerMemory extends HostMemory {
    /**
     * The peer's driver takes it back, whatever covers it: from the call on nobody is let in under the keys of its regions, and
     * when the stage completes nobody uses them and the memory is unmapped. What is left for those regions is to be
     * deregistered. Again waits for the same end.
     */
    CompletionStage<Void> invalidate();
}
