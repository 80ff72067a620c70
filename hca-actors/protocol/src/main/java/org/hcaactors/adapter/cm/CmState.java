// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

/** States of a connection, named as in IBA 12.9.7 and Linux's ib_cm (rule cm-states). */
public enum CmState {
    /** The active end waits for an answer to its REQ. */
    REQ_SENT,
    /** The passive end's program has to accept or reject. */
    REQ_RCVD,
    /** The passive end waits for the RTU. */
    REP_SENT,
    /** The active end's program has to move its queue pair to RTS. */
    REP_RCVD,
    ESTABLISHED,
    /** This end has asked to disconnect. */
    DREQ_SENT,
    /** The connection has ended; late copies of its messages are answered as before, and its queue pair is not reused. */
    TIME_WAIT
}
