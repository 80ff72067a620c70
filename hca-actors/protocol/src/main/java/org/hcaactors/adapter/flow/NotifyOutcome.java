// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Outcomes of a completion queue's notification. */
public enum NotifyOutcome {
    /** The thread waited, and is woken. */
    WOKEN,
    /** The thread runs: its next wait ends at once. */
    LATCHED,
    /** The host's AS-notify unit is off: an interrupt, for the queue's channel and for the thread. */
    UNIT_OFF,
    /** The thread has ended: an interrupt, for the queue's channel. */
    THREAD_GONE
}
