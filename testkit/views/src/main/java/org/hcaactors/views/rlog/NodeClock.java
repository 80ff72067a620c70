// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.OptionalLong;

/**
 * The clock of a recorded run beside that of another one, as far as the packets between the two tell.
 *
 * @param name of the run
 * @param reference name of the other run; its own for the first one
 * @param offsetNanos what was added to the times of the run so that they are on the clock of the first one
 * @param uncertaintyNanos the offset may be wrong by this much, half of the shortest round trip; empty if packets travelled in one
 *     direction only, or none did
 * @param packets number of packets between the two runs
 * @param isConsistent false if some packets would arrive before they were sent, whatever the offset is: the clocks run at different
 *     speeds, and times are wrong by {@code uncertaintyNanos} in the other direction
 */
public record NodeClock(
        String name,
        String reference,
        long offsetNanos,
        OptionalLong uncertaintyNanos,
        long packets,
        boolean isConsistent) {}
