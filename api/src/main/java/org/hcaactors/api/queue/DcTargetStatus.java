// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * How a dynamically connected target stands.
 *
 * <p>Immutable; made by adapters alone, and components are added in minor versions.
 *
 * @param life whether initiators may connect
 * @param sessions that are open: responders that it has
 * @param keyViolations CONNECTs that brought a wrong access key, so far
 */
public record DcTargetStatus(Life life, int sessions, long keyViolations) {
    /** {@code ibv_exp_dct_state}. These are all that there are. */
    public enum Life {
        ACTIVE,
        /** Nobody connects any more; what is half there may end. */
        DRAINING,
        DRAINED
    }
}
