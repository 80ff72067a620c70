// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.VerbsException;

/** What a thread's machine wants done. */
public interface WaiterEffects {
    /** Who waits does so once, as a stage. */
    boolean isSingle();

    /** Its wait begins. */
    void sleeps();

    /** Its wait is over, or did not begin: it was woken. */
    void wake(WakeCause cause);

    /** It was woken and never heard of it: the next wait is over at once. */
    void keeps(WakeCause cause);

    /** Its wait is over, and nothing woke it. */
    void fail(VerbsException reason);

    /** Its wait did not begin: nothing would end it. */
    void refuse(VerbsException reason);
}
