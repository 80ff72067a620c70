// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.error.Errno;

/**
 * One call of a verb. Its moments are the walk's own counter: a call that ended before another began was executed before it;
 * nothing else about their order is known. An answer may be taken later than it was given, which makes the model more lenient,
 * never wrong.
 */
final class Call {
    private static final int NEVER = Integer.MAX_VALUE;

    private final String what;
    private final List<WalkObject> about;
    private final int began;
    private final boolean scarce;
    private boolean patient;
    private int ended = NEVER;
    private Optional<Errno> refusal = Optional.empty();

    /**
     * Begins a call.
     *
     * @param scarce true if it may be refused for lack of resources
     */
    Call(String what, List<? extends WalkObject> about, int began, boolean scarce) {
        this.what = what;
        this.about = List.copyOf(about);
        this.began = began;
        this.scarce = scarce;
    }

    /** Declares that the call may last until an event or the completion of a request. */
    Call mayLast() {
        patient = true;
        return this;
    }

    boolean isAboutToEnd() {
        return isUnderWay() && !patient;
    }

    void end(int moment, Optional<Errno> errno) {
        ended = moment;
        refusal = errno;
    }

    /** Returns the objects that it uses. */
    List<WalkObject> about() {
        return about;
    }

    int began() {
        return began;
    }

    boolean isUnderWay() {
        return ended == NEVER;
    }

    boolean wasRefused() {
        return refusal.isPresent();
    }

    boolean wasRefusedWith(Errno errno) {
        return refusal.filter(errno::equals).isPresent();
    }

    /** True if it was, or may be, refused for lack of resources. */
    boolean mayWantResources() {
        return scarce
                && (isUnderWay()
                        || refusal.filter(AllowedAnswer.OF_SCARCITY::contains).isPresent());
    }

    boolean succeeded() {
        return !isUnderWay() && refusal.isEmpty();
    }

    /** True if it had succeeded or was refused before that moment. */
    boolean endedBefore(int moment) {
        return ended < moment;
    }

    /** True if neither had ended when the other began. */
    boolean crosses(Call other) {
        return !endedBefore(other.began) && !other.endedBefore(began);
    }

    @Override
    public String toString() {
        return "[" + began + (isUnderWay() ? ".." : ".." + ended) + "] " + what
                + (isUnderWay()
                        ? ": under way"
                        : refusal.map(errno -> ": " + errno).orElse(": done"));
    }
}
