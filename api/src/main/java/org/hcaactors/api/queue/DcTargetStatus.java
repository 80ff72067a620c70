// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of a DC target at one instant ({@code ibv_exp_query_dct}).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class DcTargetStatus {
    /** {@code ibv_exp_dct_state}. These are all that there are. */
    public enum State {
        ACTIVE,
        /** New connections are refused; messages in progress may complete. */
        DRAINING,
        DRAINED
    }

    private final State state;
    private final int sessions;
    private final long keyViolations;

    private DcTargetStatus(State state, int sessions, long keyViolations) {
        this.state = state;
        this.sessions = sessions;
        this.keyViolations = keyViolations;
    }

    /** Returns the status of a target without sessions and key violations. */
    public static DcTargetStatus of(State state) {
        return new DcTargetStatus(state, 0, 0);
    }

    /** Returns the state; initiators can connect only if it is ACTIVE. */
    public State state() {
        return state;
    }

    /** Number of connected initiators, each of which has a responder of the adapter's pool. */
    public int sessions() {
        return sessions;
    }

    /** Number of CONNECTs with a wrong access key so far ({@code dc_key_violations}), whether the event was armed or not. */
    public long keyViolations() {
        return keyViolations;
    }

    public DcTargetStatus withSessions(int open) {
        return new DcTargetStatus(state, open, keyViolations);
    }

    public DcTargetStatus withKeyViolations(long soFar) {
        return new DcTargetStatus(state, sessions, soFar);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DcTargetStatus same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DcTargetStatus" + values();
    }

    private List<Object> values() {
        return List.of(state, sessions, keyViolations);
    }
}
