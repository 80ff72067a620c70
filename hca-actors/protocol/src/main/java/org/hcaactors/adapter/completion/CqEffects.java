// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;

/** Effects requested by the machine of a completion queue. */
public interface CqEffects {
    /** Number of entries that the subscriber waits for now. */
    int demand();

    /** True if an observer wants each {@linkplain #written written} entry. */
    boolean observed();

    void written(WorkCompletion entry, boolean solicited);

    /** Delivers at most {@link #demand} entries. */
    void grant(CompletionGrant grant);

    /** Completes the stage that waits for the entry; the entry is consumed at once. */
    void complete(Reply<WorkCompletion> stage, WorkCompletion entry);

    /** Fails the stage whose entry was lost in an overrun. */
    void lose(Reply<WorkCompletion> stage);

    /** Entries left the ring other than by a {@link #grant}. */
    void removed(int entries);

    /** Granted entries are back in the ring. */
    void returned(int entries);

    // rule completion-producer-index
    /** The number that grows with each entry; called when pollers see the entry, and before its event. */
    void produced(long index);

    /** Sends one event to the completion channel. */
    void wake();

    /** Raises CQ_ERR. */
    void overrun(Reason reason);

    /** The queue accepts no more completions: notifies its queue pairs, its subscriber and its callers. */
    void failed();
}
