// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Tagging;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.TraceEvent;

/** What the events so far have told of messages that took a receive of a tag list. */
final class TagFacts {
    private final Map<Long, Boolean> matched = Known.recent();

    void note(TraceEvent event) {
        if (event instanceof HcaEvent.TagMatched match) {
            matched.put(match.stamp().cause(), true);
        }
    }

    // rule tag-header
    /** Bytes that are taken off the packet with that arrival. */
    int takenOff(long arrival) {
        return matched.containsKey(arrival) ? TagHeader.BYTES : 0;
    }

    /** Of a queue pair that belongs to a list of tags, and not of a peer. */
    static boolean isOfList(WorkCompletion completion) {
        return switch (completion.kind()) {
            case TM_ADD, TM_DEL, TM_SYNC -> true;
            default -> false;
        };
    }

    // rules tag-completion, rendezvous-incomplete
    /** A message has come, though its receive did not end well: the program has to fetch its data. */
    static boolean isLeft(WorkCompletion completion) {
        return completion.status() == Status.TM_RNDV_INCOMPLETE
                && said(completion).matched();
    }

    private static Tagging said(WorkCompletion completion) {
        return completion.tagging().orElse(Tagging.NONE);
    }

    /** It ends what another completion has told of. */
    static boolean isSecond(WorkCompletion completion) {
        return said(completion).dataValid() && !said(completion).matched();
    }

    /**
     * Bytes that a completion tells of a message of that request; empty where it tells none.
     *
     * @param work whose packet it follows from
     */
    static Optional<Long> lengthTold(WorkCompletion completion, WorkRequest work) {
        Tagging said = said(completion);
        if (said.matched() && !said.dataValid()) {
            return Optional.empty();
        }
        boolean stripped = said.dataValid() && !(work instanceof RdmaRead);
        return Optional.of(work.lengthBytes() - (stripped ? TagHeader.BYTES : 0));
    }
}
