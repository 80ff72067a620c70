// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;

/** Descriptions of tagged receives, their messages, and fetched data. */
final class TagWording {
    private static final long EVERY_BIT = -1L;

    private TagWording() {}

    /** True if an operation on a tag list ended, not a message. */
    static boolean isOfList(WorkCompletion completion) {
        return completion.kind() == CompletionKind.TM_ADD
                || completion.kind() == CompletionKind.TM_DEL
                || completion.kind() == CompletionKind.TM_SYNC;
    }

    /**
     * Returns {@code , match and data}: what a successful completion says of its message, or of the counts; otherwise empty.
     */
    static String of(WorkCompletion completion) {
        if (completion.kind() != CompletionKind.TM_RECV && !isOfList(completion)) {
            return "";
        }
        TagInfo info = completion.tagging().orElse(TagInfo.NONE);
        String sync = info.syncRequested() ? ", sync requested" : "";
        if (isOfList(completion)) {
            return sync;
        }
        if (info.matched()) {
            return info.dataValid() ? ", match and data" : ", match";
        }
        return (info.dataValid() ? ", data" : ", unexpected") + sync;
    }

    /** Returns {@code srq1 lists receive 3 for tag 0x12, mask 0xf0}. */
    static Optional<String> of(HcaEvent.TagAdded e) {
        return Optional.of("%s lists receive %d for tag 0x%x%s%s"
                .formatted(
                        e.element(),
                        e.workId(),
                        e.tag(),
                        e.mask() == EVERY_BIT ? "" : ", mask 0x%x".formatted(e.mask()),
                        e.matches() ? "" : ": out of sync, it matches nothing"));
    }

    static Optional<String> of(HcaEvent.TagRemoved e) {
        return Optional.of(
                e.wasThere()
                        ? e.element() + " removes a receive from its list"
                        : e.element() + ": a message matched before the deletion");
    }

    static Optional<String> of(HcaEvent.TagsSynced e) {
        return Optional.of("%s: the program has handled %d of %d unexpected messages"
                .formatted(e.element(), e.handled(), e.delivered()));
    }

    static Optional<String> of(HcaEvent.TagMatched e) {
        return Optional.of("%s: tag 0x%x matches receive %d".formatted(e.element(), e.tag(), e.workId()));
    }

    static Optional<String> of(HcaEvent.TagUnmatched e) {
        return e.tag().isPresent()
                ? Optional.of("%s: a message with tag 0x%x is unexpected and takes receive %d"
                        .formatted(e.element(), e.tag().getAsLong(), e.workId()))
                : Optional.empty();
    }

    static Optional<String> of(HcaEvent.TagReturned e) {
        return Optional.of("%s takes receive %d back: its message was abandoned".formatted(e.element(), e.workId()));
    }

    static Optional<String> of(HcaEvent.FetchBegun e) {
        return Optional.of(
                "%s fetches %d bytes for receive %d by itself".formatted(e.element(), e.lengthBytes(), e.workId()));
    }

    static Optional<String> of(HcaEvent.Fetched e) {
        return Optional.of(
                "%s has fetched the data of receive %d and notifies the sender".formatted(e.element(), e.workId()));
    }

    static Optional<String> of(HcaEvent.FetchFailed e) {
        return Optional.of("%s leaves the fetch for receive %d to the program%s"
                .formatted(
                        e.element(),
                        e.workId(),
                        e.reason() == EventDetail.Plainly.SEE_CAUSE ? "" : ": " + ReasonTexts.of(e.reason())));
    }
}
