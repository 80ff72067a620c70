// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** Outcomes of handling an incoming packet. */
public enum PacketOutcome {
    DONE,
    /** To be handled again when a lease or receive is available, or a key is invalidated. */
    AWAITING
}
