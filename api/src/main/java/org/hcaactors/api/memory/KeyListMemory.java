// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import org.hcaactors.api.handle.Handle;

/**
 * Memory from which the adapter reads what an indirect key is filled with, where that is more than a work request can carry
 * itself ({@code ibv_exp_alloc_mkey_list_memory}). Any number of requests can use it, one after the other; the model reads
 * it when a request is posted.
 *
 * <p>Threads: any. Limits: the profile's {@code indirectKeys().maxEntries()}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface KeyListMemory extends Handle {
    /** Most {@link KeyLayout#entries()} that fit into it. */
    int maxEntries();
}
