// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

/**
 * Judges each packet as it enters the fabric, on the fabric's thread, in order. Must not block. What it throws is told to
 * who made the network, and the packet goes on as if nobody had judged it.
 */
@FunctionalInterface
public interface Interceptor {
    Interceptor NONE = transit -> Verdict.PASS;

    Verdict judge(PacketInTransit transit);
}
