// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.completion.Status;

/** A posted request or receive, and what the walk knows of its end. */
final class Request {
    enum Verb {
        SEND,
        WRITE,
        WRITE_WITH_IMMEDIATE,
        READ,
        ATOMIC,
        RECEIVE,
        /** Binds a window, or fills an indirect key. */
        KEY,
        /** Adds a receive to a tag list, or reports the count of handled messages. */
        LIST,
        /** Removes a receive from a tag list. */
        UNLIST;

        boolean isOfList() {
            return this == LIST || this == UNLIST;
        }

        /** True if it writes to local memory. */
        boolean scatters() {
            return this == READ || this == ATOMIC || this == RECEIVE;
        }

        /** True if it takes a receive of the peer. */
        boolean takesReceive() {
            return this == SEND || this == WRITE_WITH_IMMEDIATE;
        }
    }

    /** Report of its completion. */
    enum Report {
        STAGE,
        ENTRY,
        /** Only if it fails. */
        SILENT
    }

    /**
     * Mistakes that the request has from the start.
     *
     * @param badLocalKey true if its local memory can't be used
     * @param badRemoteKey true if the remote memory can't be used
     * @param tooSmall true if it is too small as a receive
     */
    record Flaws(boolean badLocalKey, boolean badRemoteKey, boolean tooSmall) {
        static final Flaws NONE = new Flaws(false, false, false);
    }

    final long id;
    final Verb verb;
    final Report report;
    final int bytes;
    final Flaws flaws;
    final Call posting;
    /** Its queue pair; empty for a receive of a shared queue. */
    final Optional<WalkQueuePair> qp;

    final Optional<WalkObjects.Shared> shared;
    /** Number of RESETs of its queue pair that were complete when it was posted. */
    final int epoch;
    /** True if a RESET was in progress then, so that their order is unknown. */
    private final boolean besideReset;

    /** Region whose local key it uses; empty if it is inline. */
    final Optional<WalkObjects.Region> localRegion;

    private final Optional<WalkObjects.Region> source;
    final Optional<WalkObjects.Region> remoteRegion;
    /** True if the peer may have no receive for it when it arrives. */
    final boolean mayFindNoReceive;

    private final List<Runnable> whenDone = new ArrayList<>();
    private Optional<RegionAlias> alias = Optional.empty();
    private IncrementVerb addition = IncrementVerb.PLAIN;
    private Optional<Integer> offset = Optional.empty();
    private Optional<Status> status = Optional.empty();
    private boolean over;
    private boolean announced;
    private boolean takenOut;

    Request(
            long id,
            Verb verb,
            Report report,
            int bytes,
            Flaws flaws,
            Call posting,
            Optional<WalkQueuePair> qp,
            Optional<WalkObjects.Shared> shared,
            Optional<WalkObjects.Region> localRegion,
            boolean inline,
            Optional<WalkObjects.Region> remoteRegion,
            boolean mayFindNoReceive) {
        this.id = id;
        this.verb = verb;
        this.report = report;
        this.bytes = bytes;
        this.flaws = flaws;
        this.posting = posting;
        this.qp = qp;
        this.shared = shared;
        this.epoch = qp.map(each -> each.epochsOverBefore(posting.began())).orElse(0);
        this.besideReset = qp.filter(each -> each.epoch() != epoch).isPresent();
        this.source = localRegion;
        this.localRegion = inline ? Optional.empty() : localRegion;
        this.remoteRegion = remoteRegion;
        this.mayFindNoReceive = mayFindNoReceive;
    }

    /** Sets the offset in its memory of bytes that only it uses. */
    void ownsBytesAt(int place) {
        offset = Optional.of(place);
    }

    /** Makes it use an alias instead of the peer's region; for a bind or fill, the alias that it creates. */
    void goesThrough(RegionAlias way) {
        alias = Optional.of(way);
    }

    /** Sets the kind of atomic. */
    void addsBy(IncrementVerb way) {
        addition = way;
    }

    IncrementVerb addition() {
        return addition;
    }

    Optional<RegionAlias> alias() {
        return alias;
    }

    Optional<Integer> offset() {
        return offset;
    }

    /** Returns the region that its bytes are read from, on either side. */
    WalkObjects.Region source() {
        return source.orElseThrow();
    }

    /** Adds an action for when it ends with SUCCESS. */
    void whenDone(Runnable action) {
        whenDone.add(action);
    }

    /** Ends it with a completion. */
    void end(Status how) {
        status = Optional.of(how);
        over = true;
        if (how == Status.SUCCESS) {
            whenDone.forEach(Runnable::run);
        }
    }

    /** Ends it without a completion, as it may; one that was already on its way may still arrive. */
    void cutOff() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    // rule tag-completion
    /** Records the first of its two completions. */
    void announce() {
        announced = true;
    }

    boolean isAnnounced() {
        return announced;
    }

    /** Records that it was removed from the tag list: it never completes. */
    void takeOut() {
        takenOut = true;
    }

    boolean isTakenOut() {
        return takenOut;
    }

    /** True if certainly no RESET was between the two. */
    boolean isOfOneEpochWith(Request other) {
        return !besideReset && !other.besideReset && epoch == other.epoch;
    }

    /** True if it was certainly posted before a RESET that was complete at that moment. */
    boolean wasResetBefore(int moment) {
        return !besideReset
                && qp.filter(each -> each.epochsOverBefore(moment) > epoch).isPresent();
    }

    boolean wasCutOff() {
        return over && status.isEmpty();
    }

    Optional<Status> status() {
        return status;
    }

    @Override
    public String toString() {
        return "request " + id + " (" + verb + " of " + bytes + " bytes, " + report
                + (flaws.equals(Flaws.NONE) ? "" : ", " + flaws)
                + (mayFindNoReceive ? ", possibly without a posted receive" : "")
                + alias.map(way -> ", by " + way.history()).orElse("")
                + ", posted at " + posting.began()
                + status.map(how -> ", ended " + how).orElse("") + ")";
    }
}
