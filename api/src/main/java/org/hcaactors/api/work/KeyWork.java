// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;

/**
 * A request that changes a memory key of its own adapter, in its place in the send queue: what stands behind it starts when the
 * change is made. It sends nothing.
 *
 * <p>More will follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface KeyWork extends RcWork, UcWork permits LocalInvalidate, BindWindow, FillKey {
    /** The key as it is before the change. */
    int key();

    @Override
    KeyWork withFlags(SendFlags flags);

    /** It moves no bytes. */
    @Override
    default List<LocalSlice> local() {
        return List.of();
    }
}
