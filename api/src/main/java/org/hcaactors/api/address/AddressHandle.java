// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A checked path that datagrams can be sent along ({@code ibv_ah}); any number of queue pairs of its domain may use it.
 *
 * <p>Threads: any. Limits: none on their number; each is an object of some hundred bytes.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface AddressHandle extends Handle {
    AddressVector vector();

    /**
     * Destroys it ({@code ibv_destroy_ah}). Datagrams that were posted with it are sent all the same; posting another is
     * refused with EINVAL.
     */
    CompletionStage<Void> destroy();
}
