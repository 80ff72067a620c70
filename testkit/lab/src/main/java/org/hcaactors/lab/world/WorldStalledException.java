// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** A world waits for something that cannot happen any more, or did not happen in time. The message says who waits. */
public final class WorldStalledException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    WorldStalledException(String story) {
        super(story);
    }
}
