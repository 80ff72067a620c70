// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** Another thread touched a world, so the seed does not determine its run. */
public final class WorldLeakException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    WorldLeakException(String leaks) {
        super("the world leaks: " + leaks);
    }
}
