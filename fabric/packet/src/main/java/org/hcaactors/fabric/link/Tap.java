// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.flow.FabricEvent;

/**
 * Observes every event of the fabric, on the fabric's thread, in order. Must not block. Exceptions are reported to the creator
 * of the network; they affect no packet and no other tap.
 */
@FunctionalInterface
public interface Tap {
    void on(FabricEvent event);
}
