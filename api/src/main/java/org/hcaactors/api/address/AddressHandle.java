// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * An address handle ({@code ibv_ah}): a checked path for datagrams, usable by any number of queue pairs of its domain.
 *
 * <p>Threads: any. Limits: none on their number; each is an object of some hundred bytes.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface AddressHandle extends Handle {
    AddressVector vector();

    /**
     * Destroys it ({@code ibv_destroy_ah}). Datagrams already posted with it are still sent; posting another is refused with
     * EINVAL.
     */
    CompletionStage<Void> destroy();
}
