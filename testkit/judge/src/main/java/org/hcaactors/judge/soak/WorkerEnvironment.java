// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.network.RdmaNetwork;

/**
 * Environment of a worker's rounds: a network for the whole run, and its own random numbers.
 *
 * @param host host of the network, if its actors can be crashed
 * @param lane number of the worker, from 0
 * @param openStages stages of the worker's verbs
 */
record WorkerEnvironment(
        Optional<HostedNetwork> host,
        RdmaNetwork network,
        Adapter a,
        Adapter b,
        int lane,
        SplittableRandom random,
        Totals tally,
        OpenStages openStages) {
    private static final int ATTEMPTS = 1000;
    private static final long MILLIS_FOR_A_HELPER = 20_000;

    static WorkerEnvironment on(HostedNetwork host, int lane, SplittableRandom random, Totals tally) {
        return new WorkerEnvironment(
                Optional.of(host), host.network(), host.a(), host.b(), lane, random, tally, new OpenStages(tally));
    }

    /** Returns the same worker on a network whose actors it can't crash. */
    WorkerEnvironment on(RdmaNetwork other, Adapter left, Adapter right) {
        return new WorkerEnvironment(Optional.empty(), other, left, right, lane, random, tally, openStages);
    }

    /** Returns the same worker on another network. */
    WorkerEnvironment on(HostedNetwork other) {
        return new WorkerEnvironment(
                Optional.of(other), other.network(), other.a(), other.b(), lane, random, tally, openStages);
    }

    /** Starts a process on {@code a}. */
    SoakContext left() {
        return SoakContext.open(this, a);
    }

    /** Starts a process on {@code b}. */
    SoakContext right() {
        return SoakContext.open(this, b);
    }

    /** Waits for a stage, which is registered under the calling line of the round. */
    <T> T await(CompletionStage<T> stage) {
        return network.await(openStages.given("stage awaited at", StackLocation.ofCaller(), stage));
    }

    <T> CompletionStage<T> given(String verb, Object object, CompletionStage<T> stage) {
        return openStages.given(verb, object, stage);
    }

    /** Crashes the actor. */
    void crash(CrashTarget victim) {
        tally.crashes.increment();
        host.orElseThrow(() -> new IllegalStateException("this network does not allow injected crashes"))
                .crash(victim);
    }

    /** Runs them on threads of their own, all at once, and waits for their end. Exceptions are recorded. */
    void together(List<Runnable> all) {
        List<Thread> threads = new ArrayList<>();
        for (Runnable one : all) {
            threads.add(started(one));
        }
        threads.forEach(this::join);
    }

    Thread started(Runnable work) {
        return Thread.ofPlatform().daemon().name("beside-lane-" + lane).start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error thrown) {
                openStages.threw("a thread of the round", thrown);
            }
        });
    }

    void join(Thread helper) {
        try {
            helper.join(MILLIS_FOR_A_HELPER);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a thread of the round", interrupted);
        }
        check(
                !helper.isAlive(),
                "a thread of the round must end within " + MILLIS_FOR_A_HELPER + " ms, but it is at "
                        + StackLocation.of(helper));
    }

    /** Repeats the verb while a cancelled subscription has not ended: cancelling takes effect a moment later. */
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

    /** Throws IllegalStateException if one of the library's own subscribers threw. */
    void checkOwnSubscribers() {
        host.flatMap(HostedNetwork::ownThrow).ifPresent(what -> {
            throw new IllegalStateException("the library's own subscribers must not throw, but " + what);
        });
    }

    /** Returns a multicast group that no other worker uses. */
    Gid group() {
        return Gid.ofIpv4(239, 1, lane, 1);
    }

    void succeeds(CompletionStage<WorkCompletion> request) {
        ends(request, Status.SUCCESS);
    }

    /** Checks that the request ends with one of these statuses. */
    void ends(CompletionStage<WorkCompletion> request, Status... ways) {
        WorkCompletion completion = await(request);
        tally.requests.increment();
        if (!List.of(ways).contains(completion.status())) {
            throw new IllegalStateException("request " + completion.workId() + " ended with " + completion.status()
                    + "; allowed are " + List.of(ways));
        }
    }

    /** Checks that the request is cancelled by what was done to its queue pair, or ended before. */
    void isCutOff(CompletionStage<WorkCompletion> request) {
        try {
            await(request);
        } catch (VerbsException refused) {
            check(
                    refused.errno() == Errno.ECANCELED,
                    "a request must be cancelled with ECANCELED, but was cancelled with " + refused.errno());
        } catch (CompletionException wrapped) {
            throw new IllegalStateException(
                    "a stage must fail with the VerbsException itself, but failed with " + wrapped, wrapped);
        }
        tally.requests.increment();
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
