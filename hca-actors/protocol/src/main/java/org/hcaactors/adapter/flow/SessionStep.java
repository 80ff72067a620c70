// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** A step in the life of a session between an initiator and a target (rule dc-handshake). These are all that there are. */
public enum SessionStep {
    /** The initiator asks for it. */
    CONNECTING,
    /** It asks again, and may have been heard. */
    RECONNECTING,
    /** The initiator knows its number. */
    CONNECTED,
    /** It asks for its end. */
    DISCONNECTING,
    /** The initiator has no session any more. */
    DISCONNECTED,
    /** A responder serves the initiator from now on. */
    OPENED,
    /** Too few responders are left: the initiator is told to come again. */
    CNAK_SENT,
    /** No responder is left: the initiator is told nothing. */
    NO_RESPONDER,
    /** The initiator brought a wrong access key. */
    WRONG_KEY,
    /** The responder serves it no more, as its peer disconnected, was silent, or has begun anew; a failure is a change of its state. */
    CLOSED
}
