package org.hcaactors.lab.soak;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.network.RdmaNetwork;

/**
 * Where a lane plays its rounds: a network that lasts for the whole run, and lots of its own.
 *
 * @param lane tells lanes apart, from 0
 */
record Ground(RdmaNetwork network, Adapter a, Adapter b, int lane, SplittableRandom lots, Tally tally) {
    private static final int ATTEMPTS = 1000;

    /** The same lane on another network. */
    Ground on(RdmaNetwork other, Adapter left, Adapter right) {
        return new Ground(other, left, right, lane, lots, tally);
    }

    /** A fresh process on {@code a}. */
    Station left() {
        return Station.open(this, a);
    }

    /** A fresh process on {@code b}. */
    Station right() {
        return Station.open(this, b);
    }

    <T> T await(CompletionStage<T> stage) {
        return network.await(stage);
    }

    /** Asks again while a subscription that was cancelled has not ended: cancelling takes effect a moment later. */
    <T> T afterCancelling(Supplier<CompletionStage<T>> verb) {
        for (int i = 1; ; i++) {
            try {
                return await(verb.get());
            } catch (VerbsException busy) {
                if (busy.errno() != Errno.EBUSY || i == ATTEMPTS) {
                    throw busy;
                }
                Footprint.rest(1);
            }
        }
    }

    /** No other lane uses this group. */
    Gid group() {
        return Gid.ofIpv4(239, 1, lane, 1);
    }

    void succeeds(CompletionStage<WorkCompletion> request) {
        ends(request, Status.SUCCESS);
    }

    /** The request ends in one of these ways. */
    void ends(CompletionStage<WorkCompletion> request, Status... ways) {
        WorkCompletion completion = await(request);
        tally.requests.increment();
        if (!List.of(ways).contains(completion.status())) {
            throw new IllegalStateException("request " + completion.workId() + " ended with " + completion.status()
                    + " and not with " + List.of(ways));
        }
    }

    /** The request is cut off by what was done to its queue pair, unless it was quicker. */
    void isCutOff(CompletionStage<WorkCompletion> request) {
        try {
            await(request);
        } catch (VerbsException refused) {
            check(refused.errno() == Errno.ECANCELED, "a request was cut off with " + refused.errno());
        } catch (CompletionException wrapped) {
            throw new IllegalStateException("a verb's failure came wrapped", wrapped);
        }
        tally.requests.increment();
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
