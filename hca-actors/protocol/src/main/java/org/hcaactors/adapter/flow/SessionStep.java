// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** All steps in the life of a session between a DC initiator and a target (rule dc-handshake). */
public enum SessionStep {
    /** The initiator requests a session. */
    CONNECTING,
    /** The initiator repeats its request, which the target may have received already. */
    RECONNECTING,
    /** The initiator knows the session's number. */
    CONNECTED,
    /** The initiator requests the end of the session. */
    DISCONNECTING,
    /** The initiator has no session any more. */
    DISCONNECTED,
    /** A responder serves the initiator from now on. */
    OPENED,
    /** Too few responders are free: the initiator receives a CNAK. */
    CNAK_SENT,
    /** No responder is free: the initiator receives no answer. */
    NO_RESPONDER,
    /** The initiator sent a wrong access key. */
    WRONG_KEY,
    /**
     * The responder ended the session since its peer disconnected, was silent for too long, or opened another one; a failure
     * appears as a change of its state instead.
     */
    CLOSED
}
