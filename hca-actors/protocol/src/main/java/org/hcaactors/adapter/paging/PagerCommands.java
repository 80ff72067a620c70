// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.stage.Reply;

/** The way to an adapter's pager, for any thread. */
public interface PagerCommands {
    void tell(PagingOrder order);

    /** Where the adapter is gone it fails with ECANCELED. */
    CompletionStage<Void> ask(Function<Reply<Void>, PagingOrder.Verb> order);
}
