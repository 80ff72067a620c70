// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.VerbsException;

/** Effects requested by a thread's machine. */
public interface WaiterEffects {
    /** True for a single wait with a stage, false for a stream of waits. */
    boolean isSingle();

    /** The wait begins. */
    void sleep();

    /** The thread was woken: the wait ends, or does not begin. */
    void wake(WakeCause cause);

    /** The thread's subscriber did not receive a wake-up: the next wait ends at once. */
    void latch(WakeCause cause);

    /** The wait ends without a wake-up. */
    void fail(VerbsException reason);

    /** The wait does not begin, since nothing would end it. */
    void refuse(VerbsException reason);
}
