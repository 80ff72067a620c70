// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Locale;

/**
 * Outcome of a connection by communication management, at the end that asked for it.
 *
 * @param reason code of a rejection (IBA 12.6.7.2); 0 for another outcome
 */
public record ConnectionOutcome(State state, int reason) {
    /** State of the connection at the end of the run. */
    public enum State {
        /** Both ends can send. */
        ESTABLISHED,
        /** This end has disconnected. */
        CLOSED,
        CLOSED_BY_PEER,
        REJECTED,
        /** The peer did not answer. */
        UNANSWERED,
        /** One of the ends was closed while the connection was made. */
        CANCELED,
        /** The adapter restarted or failed. */
        DEVICE_FAILED,
        /** A verb was refused. */
        FAILED,
        /** The peer has not answered yet. */
        WAITING
    }

    static ConnectionOutcome of(State state) {
        return new ConnectionOutcome(state, 0);
    }

    static ConnectionOutcome rejected(int reason) {
        return new ConnectionOutcome(State.REJECTED, reason);
    }

    /** Returns {@code established} or {@code rejected 8}. */
    @Override
    public String toString() {
        String word = state.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return state == State.REJECTED ? word + " " + reason : word;
    }
}
