// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.region.InaccessibleRegion;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.mutation.MutationPoint;

/** State of a region: its attributes, key and resources. Verbs that change it run one at a time; readable from any thread. */
final class RegionLifecycle {
    /**
     * @param capacity number of pages for which its key has space
     * @param health whether it can be used
     */
    record Now(int key, RegionAttributes attributes, long capacity, Health health) {
        // rule memory-reregister-key
        /** State under a new key, with space for its pages rounded up to a power of two. */
        private static Now under(int key, RegionAttributes attributes) {
            long entries = attributes.backing().translation().entries();
            long room = entries <= 1 ? 1 : Long.highestOneBit(entries - 1) << 1;
            return new Now(key, attributes, room, Health.WELL);
        }

        private Now as(RegionAttributes next) {
            return new Now(key, next, capacity, health);
        }

        private Now in(Health other) {
            return new Now(key, attributes, capacity, other);
        }
    }

    enum Health {
        WELL,

        /** Its key denies all access. */
        UNDEFINED,

        /** Its old key is gone and no new one was assigned. */
        KEYLESS,

        /** Its key may be reused for another object. */
        DEREGISTERED
    }

    private final RegionHandle region;
    private final RegionOwner context;
    private volatile Now now;

    RegionLifecycle(int key, RegionAttributes attributes, RegionHandle region, RegionOwner context) {
        this.region = region;
        this.context = context;
        now = Now.under(key, attributes);
    }

    Now now() {
        return now;
    }

    CompletionStage<Void> reregister(Reregistration requested) {
        Now before = now;
        if (before.health != Health.WELL) {
            return CompletableFuture.failedStage(
                    VerbsException.invalid(
                            region.describe()
                                    + ", is undefined because its re-registration failed or its memory was taken back; it can only be deregistered"));
        }
        RegionAttributes next;
        try {
            context.verbs().check(Verb.REREG_MR, region);
            next = before.attributes.after(requested, context);
        } catch (VerbsException refused) {
            return fails(before, refused);
        }
        return context.creating(
                        next.domain(),
                        () -> become(before, next).thenCompose(done -> pagersUpdated(before.attributes, next)))
                .exceptionallyCompose(refused -> {
                    leave(next.backing(), before.attributes.backing());
                    return fails(before, refused);
                });
    }

    private CompletionStage<Void> become(Now before, RegionAttributes next) {
        return next.backing().translation().entries() <= before.capacity
                ? inPlace(before, next)
                : underAnotherKey(before, next);
    }

    // rule memory-reregister-key
    private CompletionStage<Void> inPlace(Now before, RegionAttributes next) {
        next.backing().aboutToMap(before.key);
        KeyChange change = new KeyChange.Reregister(next.translatedKey(before.key));
        return context.change(before.key, change).thenRun(() -> {
            became(before, before.as(next));
            if (next.backing() != before.attributes.backing()) {
                next.announcePages(before.key, context.services());
            }
        });
    }

    /** The old key is deregistered first, so that the region can never be found under both. */
    private CompletionStage<Void> underAnotherKey(Now before, RegionAttributes next) {
        return context.withdraw(before.key)
                .thenRun(() -> now = before.in(Health.KEYLESS))
                .thenCompose(done -> context.assign(new RegionBlueprint(next, context)))
                .thenAccept(key -> became(before, Now.under(key, next)));
    }

    private void became(Now before, Now next) {
        now = next;
        context.foreign().are(next.key, next.attributes.backing().addresses());
        if (next.attributes.domain() != before.attributes.domain()) {
            context.moved(region, next.attributes.domain());
        }
        if (next.attributes.backing() != before.attributes.backing()) {
            next.attributes.backing().heldBy(region, region::revoke);
        }
        if (next.key == before.key && next.attributes.backing() != before.attributes.backing()) {
            before.attributes.backing().replace();
        }
        leave(before.attributes.backing(), next.attributes.backing());
    }

    private static void leave(RegionBacking one, RegionBacking forOther) {
        if (one != forOther) {
            one.release();
        }
    }

    // rule memory-reregister-fails
    /**
     * Handles a failed reregistration. If the key is in use by others (EBUSY), the region is unchanged; otherwise it is
     * undefined, if it still has a key.
     */
    private CompletionStage<Void> fails(Now before, Throwable refused) {
        if (now.health == Health.KEYLESS) {
            context.lostItsKey(region);
            return CompletableFuture.failedStage(refused);
        }
        if (isBusy(refused)) {
            return CompletableFuture.failedStage(refused);
        }
        return shut(before, new Denial.Undefined())
                .handle((done, notShut) -> {
                    if (notShut != null && isBusy(notShut)) {
                        return notShut;
                    }
                    now = before.in(Health.UNDEFINED);
                    return refused;
                })
                .thenCompose(CompletableFuture::failedStage);
    }

    /** Denies all further access. */
    private CompletionStage<Void> shut(Now before, Denial reason) {
        return context.change(
                before.key, new KeyChange.Reregister(new InaccessibleRegion(before.key, reason, Optional.empty())));
    }

    private static boolean isBusy(Throwable refused) {
        return StageOutcome.itself(refused) instanceof VerbsException known && known.errno() == Errno.EBUSY;
    }

    // rule memory-peer
    @MutationPoint("region-lifecycle.give")
    CompletionStage<Void> revoke() {
        Now before = now;
        if (before.health == Health.KEYLESS || before.health == Health.DEREGISTERED) {
            return CompletableFuture.completedStage(null);
        }
        return shut(before, new Denial.Revoked()).thenRun(() -> now = before.in(Health.UNDEFINED));
    }

    CompletionStage<Void> deregister() {
        CompletionStage<Void> deregistered;
        if (now.health == Health.KEYLESS) {
            context.closed(region);
            deregistered = CompletableFuture.completedStage(null);
        } else {
            // rule paging-drain
            deregistered = quiet(now.attributes.backing()).thenCompose(quiet -> context.deregister(region, now.key));
        }
        return deregistered.thenCompose(left -> {
            now = now.in(Health.DEREGISTERED);
            now.attributes.backing().release();
            // rule paging-gauges
            return quiet(now.attributes.backing());
        });
    }

    // rule paging-gauges
    /** Waits until the pager counts the new backing and no longer the old one. */
    private static CompletionStage<Void> pagersUpdated(RegionAttributes before, RegionAttributes next) {
        return next.backing() == before.backing()
                ? CompletableFuture.completedStage(null)
                : quiet(before.backing()).thenCompose(left -> quiet(next.backing()));
    }

    /** Completes when the pager has executed the orders about its pages. */
    static CompletionStage<Void> quiet(RegionBacking backing) {
        return backing.drained().exceptionally(adapterGone -> null);
    }
}
