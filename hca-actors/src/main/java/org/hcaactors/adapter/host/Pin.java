// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.api.handle.Handle;
import org.jspecify.annotations.Nullable;

/** A region's hold on host memory, which is not unmapped meanwhile. Any thread. */
public final class Pin {
    private final HostBuffers memory;
    private volatile @Nullable Handle region;

    Pin(HostBuffers memory) {
        this.memory = memory;
    }

    /** The region is made, and can be named. */
    public void heldBy(Handle made) {
        region = made;
    }

    /** The region is gone; again does nothing. */
    public void release() {
        memory.released(this);
    }

    @Override
    public String toString() {
        Handle made = region;
        return made == null ? "a region that is being registered" : made.describe();
    }
}
