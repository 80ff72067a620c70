// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** What became of a packet that came in. */
public enum PacketOutcome {
    DONE,
    /** To be handled again when a lease or a receive is there, or a key is invalidated. */
    AWAITING
}
