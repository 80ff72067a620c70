// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.tag.TagMatch;

/** Behavior of a tag-matching queue: matches messages, and executes the operations on its list. */
record TagQueueBehavior(TagQueueState tags, SharedReceiveHandle handle) implements SrqBehavior {
    @Override
    public void userLeft(SrqUser user) {
        tags.removeUser(user);
    }

    @Override
    public void on(SharedReceiveActor.TagCommand command, boolean failed) {
        switch (command) {
            case SharedReceiveActor.Find find -> find(find, failed);
            case SharedReceiveActor.Withdraw back -> tags.withdraw(back.user(), back.queuePair());
            case SharedReceiveActor.Unmatch back -> tags.putBack(back.match(), back.queuePair());
            case SharedReceiveActor.Complete done ->
                tags.complete(done.match(), done.completion(), done.last(), done.solicited());
            case SharedReceiveActor.Operate operate -> tags.carryOut(operate.operation(), operate.serial());
            case SharedReceiveActor.QueryTags query -> query.reply().succeed(tags.snapshot());
        }
    }

    /** A user that matches again has processed the previous answer, even if it gets nothing now. */
    private void find(SharedReceiveActor.Find find, boolean failed) {
        if (failed) {
            tags.removeUser(find.user());
        }
        Optional<TagMatch> match = failed ? Optional.empty() : tags.match(find);
        if (match.isPresent()) {
            find.user().matched(match.get());
        } else {
            find.user().noReceive();
        }
        handle.raiseLimit();
    }
}
