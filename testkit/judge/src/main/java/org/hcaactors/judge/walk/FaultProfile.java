// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

/** What goes wrong by itself while a walk is under way: the model allows what follows from it, and no more. */
public enum FaultProfile {
    /** Nothing: every outcome is the walk's own doing. */
    FAIR,
    /** Verbs are refused for want of resources, before they have done anything: that changes nothing, and all else is as in fair weather. */
    SCARCE,
    /** Packets are lost, late, doubled and torn, receivers are not ready: a reliable connection may give up. */
    ROUGH,
    /** Parts of adapters crash, processes die: anything may fail, but it ends, and once. */
    DISASTER,
    /** Packets that nobody sent: anything may fail, too, and bytes may come that no peer wrote. */
    HOSTILE;

    /** How a call or a request ends cannot be foretold; that it ends, and once, can. */
    boolean excusesFailures() {
        return this == DISASTER || this == HOSTILE;
    }
}
