// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;

/**
 * A request that changes a memory key of the local adapter, in order with other requests of the send queue: requests after it
 * start when the change is made. It sends nothing.
 *
 * <p>More will follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface KeyWork extends RcWork, UcWork permits LocalInvalidate, BindWindow, FillKey {
    /** The key before the change. */
    int key();

    @Override
    KeyWork withFlags(SendFlags flags);

    /** It transfers no bytes. */
    @Override
    default List<LocalSlice> local() {
        return List.of();
    }
}
