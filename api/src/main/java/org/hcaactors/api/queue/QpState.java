// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * {@code ibv_qp_state}, in its order.
 *
 * <p>These are all that there are.
 */
public enum QpState {
    RESET,
    INIT,
    RTR,
    RTS,
    SQD,
    SQE,
    ERR
}
