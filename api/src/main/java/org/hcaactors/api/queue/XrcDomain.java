// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * An XRC domain ({@code ibv_xrcd}), which ties XRC targets and shared receive queues together. A domain of a file is shared by
 * all processes of the host that open it.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of queue pairs and of shared receive queues.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface XrcDomain extends Handle {
    /** Number of the domain, the same in all processes that have it open. */
    int number();

    /** File of the domain; empty for a domain of this process alone. */
    Optional<String> file();

    /** Creates an XRC target in RESET ({@code ibv_create_qp_ex}); other processes with this domain may open it. */
    CompletionStage<XrcTarget> createTarget();

    /**
     * Opens an XRC target of this domain ({@code ibv_open_qp}); EINVAL if the domain has no target with that number.
     *
     * @param number {@link XrcTarget#number}
     */
    CompletionStage<XrcTarget> openTarget(int number);

    /**
     * Closes this handle ({@code ibv_close_xrcd}): EBUSY while one of its targets or shared receive queues is open, unless
     * other processes have the domain open too. Closing the last handle destroys the domain.
     */
    @Override
    CompletionStage<Void> closeAsync();
}
