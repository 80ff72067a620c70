// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flags of {@code ibv_send_wr.send_flags}.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Flags are added in minor versions.
 */
public final class SendFlags {
    /** No flag. */
    public static final SendFlags NONE = new SendFlags(false, false, false, false);

    /** Only signaled. */
    public static final SendFlags SIGNALED = new SendFlags(true, false, false, false);

    private final boolean signaled;
    private final boolean solicited;
    private final boolean fence;
    private final boolean inline;

    private SendFlags(boolean signaled, boolean solicited, boolean fence, boolean inline) {
        this.signaled = signaled;
        this.solicited = solicited;
        this.fence = fence;
        this.inline = inline;
    }

    /** True if a successful request writes a completion. */
    public boolean signaled() {
        return signaled;
    }

    /** True if the receiver's completion is a solicited event. */
    public boolean solicited() {
        return solicited;
    }

    /** True if the request starts only after all earlier READs and atomics of the queue pair completed (RC only). */
    public boolean fence() {
        return fence;
    }

    /** True if data is copied at post: no L_Key is checked, and the buffer can be reused when {@code post} returns. */
    public boolean inline() {
        return inline;
    }

    public SendFlags withSignaled() {
        return withSignaled(true);
    }

    public SendFlags withSignaled(boolean on) {
        return on && !solicited && !fence && !inline ? SIGNALED : new SendFlags(on, solicited, fence, inline);
    }

    public SendFlags withSolicited() {
        return withSolicited(true);
    }

    public SendFlags withSolicited(boolean on) {
        return new SendFlags(signaled, on, fence, inline);
    }

    public SendFlags withFence() {
        return withFence(true);
    }

    public SendFlags withFence(boolean on) {
        return new SendFlags(signaled, solicited, on, inline);
    }

    public SendFlags withInline() {
        return withInline(true);
    }

    public SendFlags withInline(boolean on) {
        return new SendFlags(signaled, solicited, fence, on);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SendFlags same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SendFlags" + values();
    }

    private List<Object> values() {
        return List.of(signaled, solicited, fence, inline);
    }
}
