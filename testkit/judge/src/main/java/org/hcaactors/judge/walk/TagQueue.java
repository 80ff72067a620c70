// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagHandle;

// rules tag-srq, tag-operations-full, tag-list-full
/** A shared receive queue with tag matching: all its receives complete in its own completion queue. */
final class TagQueue extends WalkObjects.Shared {
    static final int TAGS = 6;
    static final int OPERATIONS = 8;
    private static final int COUNTER = 0xFFFF;

    /** A receive in its tag list, its buffer, and its handle. */
    record Listed(Request receive, RequestBuffer place, TagHandle handle) {}

    final WalkObjects.CqModel cq;
    final List<Listed> listed = new ArrayList<>();
    private final List<Request> operations = new ArrayList<>();
    private int unexpected;

    TagQueue(String name, Call making, WalkObjects.Domain domain, WalkObjects.CqModel cq) {
        super(name, making, domain, List.of(domain, cq));
        this.cq = cq;
    }

    TagSharedReceiveQueue tags() {
        if (handle() instanceof TagSharedReceiveQueue tags) {
            return tags;
        }
        throw new IllegalStateException(handle().describe() + " does not support tag matching");
    }

    void operated(Request operation) {
        operations.add(operation);
    }

    /** A message to a listed receive may be reported twice. */
    @Override
    List<WalkObjects.CqModel> cqs(Request request) {
        return isListed(request) ? List.of(cq, cq) : List.of(cq);
    }

    boolean isListed(Request request) {
        return listed.stream().anyMatch(each -> each.receive == request);
    }

    @Override
    Stream<Request> toTake() {
        return Stream.concat(super.toTake(), listed.stream().map(Listed::receive));
    }

    @Override
    boolean mayHaveFailed() {
        return cq.mayHaveFailed();
    }

    @Override
    boolean mayHaveLost() {
        return cq.mayHaveLost();
    }

    /** True if its list may be full: a place is free only after the last completion of its receive was polled. */
    boolean mayBeFullOfTags() {
        return mayHaveLost()
                || listed.stream().filter(each -> !each.receive.isOver()).count() >= TAGS;
    }

    /** True if its operations may be full; the slot of a silent one is freed with a later one that reports. */
    boolean mayBeFullOfOperations() {
        int taken = 0;
        boolean reported = false;
        for (Request operation : operations.reversed()) {
            if (operation.report != Request.Report.SILENT) {
                reported = operation.isOver();
            }
            taken += reported ? 0 : 1;
        }
        return mayHaveLost() || taken >= OPERATIONS;
    }

    /** Records a polled completion. */
    void onCompletion(WorkCompletion completion) {
        boolean surprise = completion.isSuccess()
                && completion.kind() == CompletionKind.TM_RECV
                && completion
                        .tagging()
                        .filter(tagInfo -> !tagInfo.matched() && !tagInfo.dataValid())
                        .isPresent();
        if (surprise) {
            unexpected++;
        }
    }

    /** Returns the number of polled unexpected messages, as the adapter counts them. */
    int unexpected() {
        return unexpected & COUNTER;
    }

    @Override
    String history() {
        return super.history() + ",\n    list " + listed + ",\n    operations " + operations;
    }
}
