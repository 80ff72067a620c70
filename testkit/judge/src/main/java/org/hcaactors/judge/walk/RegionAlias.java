// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * Another way to a region: what a window is bound to, or an indirect key filled with. It is made by a request, and ends with the
 * next of its key, or with its key. A window holds on to its region; an indirect key does not.
 */
final class RegionAlias extends WalkObject {
    final WalkObjects.Region region;
    private final WalkObjects.OtherKey<?> key;
    private final boolean ofAWindow;
    private @Nullable RemoteAddress first;

    private RegionAlias(
            String name, Call making, WalkObjects.OtherKey<?> key, WalkObjects.Region region, boolean ofAWindow) {
        super(name, making, Optional.of(key), ofAWindow ? List.of(region) : List.of());
        this.region = region;
        this.key = key;
        this.ofAWindow = ofAWindow;
    }

    static RegionAlias of(String name, Call making, WalkObjects.Window window, WalkObjects.Region region) {
        return new RegionAlias(name, making, window, region, true);
    }

    static RegionAlias of(String name, Call making, WalkObjects.Indirect key, WalkObjects.Region region) {
        return new RegionAlias(name, making, key, region, false);
    }

    /** It was posted, and this is how peers name its first byte. */
    void beginsAt(RemoteAddress there) {
        first = there;
    }

    RemoteAddress remote(int offset) {
        if (first == null) {
            throw new IllegalStateException(name() + " was not posted yet");
        }
        return new RemoteAddress(first.rkey(), first.address() + offset);
    }

    // rule indirect-fill
    /** An indirect key keeps its name when it is filled anew: who named this is led to what it shows by then. */
    boolean mayLeadElsewhere() {
        return !ofAWindow && wasToldToGoItself();
    }

    /** Of an indirect key, those of its region count, too. */
    boolean hasRightsOfItsOwn() {
        return ofAWindow;
    }

    /** Something may have been in the way of its making, which was posted at that moment. */
    boolean maybeNotSince(int posted) {
        boolean fits = region.surelyAllows(Access.MW_BIND) && region.surelyAllows(Access.LOCAL_WRITE);
        return key.mayGoSince(posted)
                || ofAWindow && (!fits || region.mayGoSince(posted) || region.mayChangeSince(posted));
    }

    /**
     * What was posted has ended. Where that was before it was carried out for certain, or it was not posted, it was not made;
     * of what was flushed or cut off nobody knows.
     */
    void ended(int moment, Optional<WorkCompletion> completion, Optional<Errno> refusal) {
        boolean failed = completion
                        .filter(done -> !done.isSuccess() && done.status() != Status.WR_FLUSH_ERR)
                        .isPresent()
                || refusal.filter(errno -> errno == Errno.EINVAL || errno == Errno.ENOMEM)
                        .isPresent();
        if (completion.filter(WorkCompletion::isSuccess).isPresent()) {
            making().end(moment, Optional.empty());
        } else if (failed) {
            making().end(moment, Optional.of(Errno.ECANCELED));
        }
    }
}
