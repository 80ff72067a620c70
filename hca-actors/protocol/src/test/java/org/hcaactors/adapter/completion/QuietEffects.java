// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;

/** Effects of a completion queue that are ignored. */
class QuietEffects implements CqEffects {
    @Override
    public int demand() {
        return 0;
    }

    @Override
    public boolean observed() {
        return false;
    }

    @Override
    public void written(WorkCompletion entry, boolean solicited) {}

    @Override
    public void grant(CompletionGrant grant) {}

    @Override
    public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {}

    @Override
    public void lose(Reply<WorkCompletion> stage) {}

    @Override
    public void removed(int entries) {}

    @Override
    public void returned(int entries) {}

    @Override
    public void produced(long index) {}

    @Override
    public void wake() {}

    @Override
    public void overrun(Reason reason) {}

    @Override
    public void failed() {}
}
