// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import org.hcaactors.api.handle.Handle;

/**
 * List memory for filling indirect keys ({@code ibv_exp_alloc_mkey_list_memory}): the adapter reads a layout from it that is
 * too large to be inline in a work request. Any number of requests can use it, one after the other; the model reads it when a
 * request is posted.
 *
 * <p>Threads: any. Limits: the profile's {@code indirectKeys().maxEntries()}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface KeyListMemory extends Handle {
    /** Maximum {@link KeyLayout#entries()} that fit into it. */
    int maxEntries();
}
