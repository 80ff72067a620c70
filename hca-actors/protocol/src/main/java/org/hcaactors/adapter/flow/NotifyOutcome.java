// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** What became of a queue's notification. */
public enum NotifyOutcome {
    /** The thread waited, and is woken. */
    WOKEN,
    /** The thread runs: its next wait is over at once. */
    LATCHED,
    /** The host's unit is off: an interrupt, for the queue's channel and for the thread. */
    UNIT_OFF,
    /** The thread is gone: an interrupt, for the queue's channel. */
    THREAD_GONE
}
