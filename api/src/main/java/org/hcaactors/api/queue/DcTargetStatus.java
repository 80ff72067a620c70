// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a dynamically connected target stands, at one instant ({@code ibv_exp_query_dct}).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class DcTargetStatus {
    /** {@code ibv_exp_dct_state}. These are all that there are. */
    public enum Life {
        ACTIVE,
        /** Nobody connects any more; what is half there may end. */
        DRAINING,
        DRAINED
    }

    private final Life life;
    private final int sessions;
    private final long keyViolations;

    private DcTargetStatus(Life life, int sessions, long keyViolations) {
        this.life = life;
        this.sessions = sessions;
        this.keyViolations = keyViolations;
    }

    /** Of a target that nobody is connected to, and to which nobody came with a wrong key. */
    public static DcTargetStatus of(Life life) {
        return new DcTargetStatus(life, 0, 0);
    }

    /** Whether initiators may connect. */
    public Life life() {
        return life;
    }

    /** Initiators that are connected, each of which has a responder of the adapter's pool. */
    public int sessions() {
        return sessions;
    }

    /** CONNECTs so far that brought a wrong access key ({@code dc_key_violations}), whether the event was armed or not. */
    public long keyViolations() {
        return keyViolations;
    }

    public DcTargetStatus withSessions(int open) {
        return new DcTargetStatus(life, open, keyViolations);
    }

    public DcTargetStatus withKeyViolations(long soFar) {
        return new DcTargetStatus(life, sessions, soFar);
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
        return List.of(life, sessions, keyViolations);
    }
}
