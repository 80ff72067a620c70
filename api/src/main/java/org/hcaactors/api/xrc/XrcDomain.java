// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.xrc;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.XrcTarget;

/**
 * Ties together what is asked and the shared receive queues that may be named there ({@code ibv_xrcd}). One of a file is the
 * same for every process of the host that opens it.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of queue pairs and of shared receive queues.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface XrcDomain extends Handle {
    /** The same for everybody who has it open. */
    int number();

    /** The file that it is known by; empty for one of this process alone. */
    Optional<String> file();

    /** Creates what is asked, in RESET ({@code ibv_create_qp_ex}); the others of the domain may open it. */
    CompletionStage<XrcTarget> createTarget();

    /**
     * Opens what somebody of the domain created ({@code ibv_open_qp}); EINVAL where the domain has none of that number.
     *
     * @param number {@link XrcTarget#number}
     */
    CompletionStage<XrcTarget> openTarget(int number);

    /**
     * Gives it up ({@code ibv_close_xrcd}): EBUSY while a target or a shared receive queue of it is open, unless others have the
     * domain open, too; with the last of them it is gone.
     */
    @Override
    CompletionStage<Void> closeAsync();
}
