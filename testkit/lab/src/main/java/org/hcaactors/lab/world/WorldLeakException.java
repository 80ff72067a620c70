// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** Something outside a world's thread touched it, so its run is not determined by its seed. */
public final class WorldLeakException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    WorldLeakException(String leaks) {
        super("the world leaks: " + leaks);
    }
}
