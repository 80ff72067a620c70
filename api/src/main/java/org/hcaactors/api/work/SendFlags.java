// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * The flags of {@code ibv_send_wr.send_flags}.
 *
 * @param signaled a successful request writes a completion
 * @param solicited the receiver's completion is a solicited event
 * @param fenced not started before all earlier READs and atomics of this queue completed (RC only)
 * @param inline data is copied at post: no L_Key is checked and the buffer is free on return
 */
public record SendFlags(boolean signaled, boolean solicited, boolean fenced, boolean inline) {
    public static final SendFlags NONE = new SendFlags(false, false, false, false);
    public static final SendFlags SIGNALED = new SendFlags(true, false, false, false);

    public SendFlags withSignaled() {
        return solicited || fenced || inline ? new SendFlags(true, solicited, fenced, inline) : SIGNALED;
    }

    public SendFlags withSolicited() {
        return new SendFlags(signaled, true, fenced, inline);
    }

    public SendFlags withFence() {
        return new SendFlags(signaled, solicited, true, inline);
    }

    public SendFlags withInline() {
        return new SendFlags(signaled, solicited, fenced, true);
    }
}
