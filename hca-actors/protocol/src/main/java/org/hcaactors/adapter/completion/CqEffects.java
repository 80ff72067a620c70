// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;

/** What a completion queue's machine wants done. */
public interface CqEffects {
    /** Entries that a subscriber waits for now. */
    int demand();

    /** Someone wants to be told what is {@linkplain #written written}. */
    boolean observed();

    void written(WorkCompletion entry, boolean solicited);

    /** At most {@link #demand} entries. */
    void grant(CompletionGrant grant);

    /** The entry belongs to a stage, which consumes it at once. */
    void complete(Reply<WorkCompletion> stage, WorkCompletion entry);

    /** The entry was lost in an overrun. */
    void lose(Reply<WorkCompletion> stage);

    /** Entries left the ring on another way than a {@link #grant}. */
    void taken(int entries);

    /** Entries that were granted stand in the ring again. */
    void returned(int entries);

    /** One event for the channel. */
    void wake();

    /** CQ_ERR. */
    void overrun(Reason reason);

    /** The queue takes nothing any more: its queue pairs, its subscriber and its callers are told. */
    void failed();
}
