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
        /** Puts a receive into a tag list, or says what was dealt with. */
        LIST,
        /** Takes one out of it. */
        UNLIST;

        boolean isOfList() {
            return this == LIST || this == UNLIST;
        }

        /** Its bytes come here. */
        boolean scatters() {
            return this == READ || this == ATOMIC || this == RECEIVE;
        }

        /** It takes a receive of the peer. */
        boolean takesReceive() {
            return this == SEND || this == WRITE_WITH_IMMEDIATE;
        }
    }

    /** How its completion comes. */
    enum Report {
        STAGE,
        ENTRY,
        /** Only if it fails. */
        SILENT
    }

    /**
     * What is wrong with it from the start.
     *
     * @param here its own memory can't be used so
     * @param there the peer's can't
     * @param tooSmall as a receive
     */
    record Flaws(boolean here, boolean there, boolean tooSmall) {
        static final Flaws NONE = new Flaws(false, false, false);
    }

    final long id;
    final Verb verb;
    final Report report;
    final int bytes;
    final Flaws flaws;
    final Call posting;
    /** Empty for a receive of a shared queue. */
    final Optional<WalkQueuePair> qp;

    final Optional<WalkObjects.Shared> shared;
    /** RESETs of its queue pair that were over when it was posted. */
    final int epoch;
    /** A RESET was under way then: whether it came before or after that is not known. */
    private final boolean besideReset;

    /** Whose key it uses here; none if it is inline. */
    final Optional<WalkObjects.Region> ours;

    private final Optional<WalkObjects.Region> source;
    final Optional<WalkObjects.Region> theirs;
    /** The peer may have no receive for it when it comes. */
    final boolean mayFindNoReceive;

    private final List<Runnable> whenDone = new ArrayList<>();
    private Optional<RegionAlias> door = Optional.empty();
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
            Optional<WalkObjects.Region> ours,
            boolean inline,
            Optional<WalkObjects.Region> theirs,
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
        this.source = ours;
        this.ours = inline ? Optional.empty() : ours;
        this.theirs = theirs;
        this.mayFindNoReceive = mayFindNoReceive;
    }

    /** Its own bytes are at this offset of its memory, and nobody else's. */
    void ownsBytesAt(int place) {
        offset = Optional.of(place);
    }

    /** It names that instead of the peer's region; a change of a key opens it. */
    void goesThrough(RegionAlias way) {
        door = Optional.of(way);
    }

    /** For an atomic. */
    void addsBy(IncrementVerb way) {
        addition = way;
    }

    IncrementVerb addition() {
        return addition;
    }

    Optional<RegionAlias> door() {
        return door;
    }

    Optional<Integer> offset() {
        return offset;
    }

    /** Where its bytes come from, whoever reads them. */
    WalkObjects.Region source() {
        return source.orElseThrow();
    }

    /** Done when it ends with SUCCESS. */
    void whenDone(Runnable action) {
        whenDone.add(action);
    }

    /** It ended with a completion. */
    void end(Status how) {
        status = Optional.of(how);
        over = true;
        if (how == Status.SUCCESS) {
            whenDone.forEach(Runnable::run);
        }
    }

    /** It was told to end without a completion, as it may; one that was on its way then may still come. */
    void cutOff() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    // rule tag-completion
    /** The first of its two completions came. */
    void announce() {
        announced = true;
    }

    boolean isAnnounced() {
        return announced;
    }

    /** Its deletion succeeded: it never ends. */
    void takeOut() {
        takenOut = true;
    }

    boolean isTakenOut() {
        return takenOut;
    }

    /** Certainly no RESET came between the two. */
    boolean isOfOneEpochWith(Request other) {
        return !besideReset && !other.besideReset && epoch == other.epoch;
    }

    /** Certainly posted before a RESET that was over at that moment. */
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
                + (flaws.equals(Flaws.NONE) ? "" : ", " + flaws) + (mayFindNoReceive ? ", perhaps without receive" : "")
                + door.map(way -> ", by " + way.history()).orElse("")
                + ", posted at " + posting.began()
                + status.map(how -> ", ended " + how).orElse("") + ")";
    }
}
