// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.stage.Reply;

/** Sends commands to an adapter's pager, from any thread. */
public interface PagerCommands {
    void tell(PagingCommand command);

    /** Sends a command that is answered; fails with ECANCELED if the adapter is gone. */
    CompletionStage<Void> ask(Function<Reply<Void>, PagingCommand.Verb> command);
}
