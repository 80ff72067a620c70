// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.time.Duration;

/**
 * Bounds of a fabric.
 *
 * @param maxPacketLifetime no link or interceptor delays a packet longer (IBA 9.7.1 requires such a bound)
 * @param maxInFlight packets between ports at one instant; beyond it the newest is dropped
 */
public record FabricLimits(Duration maxPacketLifetime, int maxInFlight) {
    public static final FabricLimits DEFAULT = new FabricLimits(Duration.ofSeconds(1), 1 << 20);
}
