// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Reregistration;

/** What a region is, becomes, and holds on to. Verbs that change it come one after the other; asked from any thread. */
final class RegionLife {
    /**
     * @param capacity pages that the translation of its key has room for
     * @param health what can be done with it
     */
    record Now(int key, RegionTerms terms, long capacity, Health health) {}

    enum Health {
        WELL,

        /** Its key lets nobody in. */
        UNDEFINED,

        /** Its key is gone, and it got no other. */
        KEYLESS,

        /** Its key may be another's. */
        GONE
    }

    private final RegionHandle region;
    private final RegionOwner context;
    private volatile Now now;

    RegionLife(int key, RegionTerms terms, RegionHandle region, RegionOwner context) {
        this.region = region;
        this.context = context;
        now = new Now(key, terms, room(terms.backing().translation().entries()), Health.WELL);
    }

    Now now() {
        return now;
    }

    // rule memory-reregister-key
    /** The next power of two. */
    private static long room(long pages) {
        return pages <= 1 ? 1 : Long.highestOneBit(pages - 1) << 1;
    }

    CompletionStage<Void> reregister(Reregistration wanted) {
        Now before = now;
        if (before.health != Health.WELL) {
            return CompletableFuture.failedStage(
                    VerbsException.invalid(
                            region.describe()
                                    + ", is undefined since its re-registration failed or its memory was taken back; it can only be deregistered"));
        }
        RegionTerms next;
        try {
            next = before.terms.after(wanted, context);
        } catch (VerbsException refused) {
            return spoil(before, refused);
        }
        return context.creating(next.domain(), () -> become(before, next))
                .exceptionallyCompose(refused -> failed(before, next, refused));
    }

    private CompletionStage<Void> become(Now before, RegionTerms next) {
        return next.backing().translation().entries() <= before.capacity ? inPlace(before, next) : underAnotherKey(before, next);
    }

    // rule memory-reregister-key
    private CompletionStage<Void> inPlace(Now before, RegionTerms next) {
        KeyChange change = new KeyChange.Reregister(next.behind(before.key));
        return context.change(before.key, change)
                .thenRun(() -> is(new Now(before.key, next, before.capacity, Health.WELL), before));
    }

    /** The old one goes first, as nobody may find the region under both. */
    private CompletionStage<Void> underAnotherKey(Now before, RegionTerms next) {
        return context.withdraw(before.key)
                .thenRun(() -> now = new Now(before.key, before.terms, before.capacity, Health.KEYLESS))
                .thenCompose(gone -> context.assign(new RegionBlueprint(next, context)))
                .thenAccept(key -> is(new Now(key, next, room(next.backing().translation().entries()), Health.WELL), before));
    }

    private void is(Now next, Now before) {
        now = next;
        if (next.terms.domain() != before.terms.domain()) {
            context.moved(region, next.terms.domain());
        }
        if (next.terms.backing() != before.terms.backing()) {
            next.terms.backing().heldBy(region, region::give);
            before.terms.backing().release();
        }
    }

    private CompletionStage<Void> failed(Now before, RegionTerms next, Throwable refused) {
        if (next.backing() != before.terms.backing()) {
            next.backing().release();
        }
        return spoil(before, refused);
    }

    // rule memory-reregister-fails
    private CompletionStage<Void> spoil(Now before, Throwable refused) {
        if (now.health == Health.KEYLESS) {
            context.lostItsKey(region);
        }
        if (isBusy(refused) || now.health == Health.KEYLESS) {
            return CompletableFuture.failedStage(refused);
        }
        return shut(before, new Denial.Undefined())
                .handle((shut, held) -> held == null || !isBusy(held) ? undefined(before, refused) : held)
                .thenCompose(CompletableFuture::failedStage);
    }

    // rule memory-peer
    CompletionStage<Void> give() {
        Now before = now;
        if (before.health == Health.KEYLESS || before.health == Health.GONE) {
            return CompletableFuture.completedStage(null);
        }
        return shut(before, new Denial.TakenBack())
                .thenRun(() -> now = new Now(before.key, before.terms, before.capacity, Health.UNDEFINED));
    }

    private CompletionStage<Void> shut(Now before, Denial why) {
        KeyChange change = new KeyChange.Reregister(new ClosedRegion(before.key, why, Optional.empty()));
        return context.change(before.key, change);
    }

    private Throwable undefined(Now before, Throwable why) {
        now = new Now(before.key, before.terms, before.capacity, Health.UNDEFINED);
        return why;
    }

    private static boolean isBusy(Throwable refused) {
        Throwable why =
                refused instanceof CompletionException && refused.getCause() != null ? refused.getCause() : refused;
        return why instanceof VerbsException known && known.errno() == Errno.EBUSY;
    }

    CompletionStage<Void> deregister() {
        CompletionStage<Void> gone;
        if (now.health == Health.KEYLESS) {
            context.forget(region);
            gone = CompletableFuture.completedStage(null);
        } else {
            gone = context.deregister(region, now.key);
        }
        return gone.thenRun(() -> {
            now = new Now(now.key, now.terms, now.capacity, Health.GONE);
            now.terms.backing().release();
        });
    }
}
