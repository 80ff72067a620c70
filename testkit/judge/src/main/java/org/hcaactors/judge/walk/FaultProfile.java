// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

/** Faults that may occur during a walk: the model allows their consequences, and no more. */
public enum FaultProfile {
    /** None: every outcome follows from the walk's own calls. */
    FAIR,
    /** Verbs are refused for lack of resources before they have any effect; all else is as without faults. */
    SCARCE,
    /** Packets are lost, delayed, duplicated and corrupted, and receivers are not ready: a reliable connection may give up. */
    ROUGH,
    /** Parts of adapters crash and processes die: any call may fail, but each ends, once. */
    DISASTER,
    /** Forged packets: any request may fail, too, and memory may have bytes that no peer wrote. */
    HOSTILE;

    /** True if the result of a call or a request can't be predicted; each must still end, once. */
    boolean excusesFailures() {
        return this == DISASTER || this == HOSTILE;
    }
}
