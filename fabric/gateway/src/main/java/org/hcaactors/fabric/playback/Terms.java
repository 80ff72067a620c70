// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

/**
 * Terms of a playback.
 *
 * @param longestGapNanos longest time between two packets; recorded times are cut to it
 * @param patienceNanos longest time for which the peer waits for a packet of this side
 * @param comparesPayloads payloads of this side must be the recorded ones
 */
public record Terms(long longestGapNanos, long patienceNanos, boolean comparesPayloads) {}
