// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

/**
 * Judges each packet as it enters the fabric, on the fabric's thread, in order. Must not block. Exceptions are reported to the
 * creator of the network, and the packet passes.
 */
@FunctionalInterface
public interface Interceptor {
    Interceptor NONE = transit -> Verdict.PASS;

    Verdict judge(PacketInTransit transit);
}
