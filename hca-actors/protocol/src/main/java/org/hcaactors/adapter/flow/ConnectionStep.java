// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** All steps in the life of a connection of communication management (rule cm-states). */
public enum ConnectionStep {
    /** A program asks for a connection: a REQ leaves. */
    ASKED,
    /** A peer's REQ waits for the program of its listener. */
    REQUESTED,
    /** The program accepts: a REP leaves. */
    ACCEPTED,
    /** The peer's REP arrived; the queue pair moves to RTS. */
    REPLIED,
    /** Both ends can send. */
    ESTABLISHED,
    /** The program rejects: a REJ leaves. */
    REJECTED,
    /** The peer's REJ arrived. */
    REJECTED_BY_PEER,
    /** The peer does not answer, and all repetitions are used up. */
    UNANSWERED,
    /** A request no longer waits for the program. */
    WITHDRAWN,
    /** The program closes the connection: a DREQ leaves. */
    DISCONNECTING,
    /** The connection has ended, as this end wanted. */
    DISCONNECTED,
    /** The connection has ended, as its peer wanted. */
    CLOSED_BY_PEER
}
