// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.flow.FabricEvent;

/**
 * Sees every event of the fabric, on the fabric's thread, in order. Must not block. What it throws is told to who made the
 * network, and disturbs nobody else.
 */
@FunctionalInterface
public interface Tap {
    void on(FabricEvent event);
}
