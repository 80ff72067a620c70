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
 * Another key to a region: a bound window, or a filled indirect key. A request creates it, and it ends with the next request of
 * its key, or with its key. A window keeps its region in use; an indirect key does not.
 */
final class RegionAlias extends WalkObject {
    final WalkObjects.Region region;
    private final WalkObjects.MappingKey<?> key;
    private final boolean ofAWindow;
    private @Nullable RemoteAddress first;

    private RegionAlias(
            String name, Call making, WalkObjects.MappingKey<?> key, WalkObjects.Region region, boolean ofAWindow) {
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

    /** Records the address of its first byte for peers, once it was posted. */
    void beginsAt(RemoteAddress remote) {
        first = remote;
    }

    RemoteAddress remote(int offset) {
        if (first == null) {
            throw new IllegalStateException(name() + " has not been posted yet");
        }
        return new RemoteAddress(first.rkey(), first.address() + offset);
    }

    // rule indirect-fill
    /**
     * True if it may lead to another region: an indirect key keeps its number when it is filled again, so earlier requests use
     * the new contents.
     */
    boolean mayLeadElsewhere() {
        return !ofAWindow && wasCloseRequestedDirectly();
    }

    /** True for a window; for an indirect key the region's rights count, too. */
    boolean hasRightsOfItsOwn() {
        return ofAWindow;
    }

    /** True if its creation may have failed, given when it was posted. */
    boolean maybeNotSince(int posted) {
        boolean fits = region.surelyAllows(Access.MW_BIND) && region.surelyAllows(Access.LOCAL_WRITE);
        return key.mayGoSince(posted)
                || ofAWindow && (!fits || region.mayGoSince(posted) || region.mayChangeSince(posted));
    }

    /**
     * Records the end of its request. If it certainly ended before its execution, or was not posted, the alias was not created;
     * if it was flushed or cancelled, that is unknown.
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
