// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * Connects many RC queue pairs in one JVM, a million by default, shows the progress, sends over some of them as a check, and
 * closes the network. The argument is the number of queue pairs.
 */
public final class ManyQueuePairs {
    private static final int MILLION = 1_000_000;

    /** Queue pairs per adapter: a ConnectX-5 reports 2^18 ({@code max_qp}), and reserves some. */
    private static final int OF_ONE_ADAPTER = 250_000;

    private static final int UNDER_WAY = 256;
    private static final int REPORTS = 10;
    private static final int PROOFS = 1000;
    private static final int BYTES = 64;
    private static final Duration CLOSED_WITHIN = Duration.ofMinutes(5);

    /** Two adapters whose queue pairs are connected to each other. */
    private record Cable(Side left, CompletionQueue ofLeft, Side right, CompletionQueue ofRight) {}

    private final RdmaNetwork network;
    private final RcQueuePair[] locals;
    private final RcQueuePair[] remotes;
    private final List<Cable> cables = new ArrayList<>();
    private final Semaphore underWay = new Semaphore(UNDER_WAY);
    private volatile Optional<Throwable> failure = Optional.empty();

    private ManyQueuePairs(RdmaNetwork network, int pairCount) {
        this.network = network;
        locals = new RcQueuePair[pairCount];
        remotes = new RcQueuePair[pairCount];
        int max = OF_ONE_ADAPTER;
        for (int cable = 0; cable < (pairCount + max - 1) / max; cable++) {
            cables.add(cable(2 * cable));
        }
    }

    private Cable cable(int first) {
        Side left = side(first);
        Side right = side(first + 1);
        return new Cable(left, queue(left), right, queue(right));
    }

    private Side side(int number) {
        Adapter adapter = network.addAdapter("hca" + number, Profile.CONNECTX_5);
        return Side.of(network, adapter, "app", BYTES);
    }

    private CompletionQueue queue(Side side) {
        return network.await(side.context().createCq(2 * PROOFS));
    }

    public static void main(String[] arguments) throws InterruptedException {
        int requested = arguments.length == 0 ? MILLION : Integer.parseInt(arguments[0]);
        RdmaNetwork network = RdmaNetwork.start();
        try {
            ManyQueuePairs many = new ManyQueuePairs(network, requested / 2);
            many.connect();
            many.prove();
        } finally {
            close(network);
        }
    }

    private void connect() throws InterruptedException {
        System.out.printf("%12s %12s %12s %12s%n", "queue pairs", "per second", "MiB of heap", "bytes each");
        long empty = heap();
        int step = Math.max(1, locals.length / REPORTS);
        for (int done = 0; done < locals.length; done += step) {
            int end = Math.min(locals.length, done + step);
            long began = System.nanoTime();
            for (int i = done; i < end; i++) {
                connect(i);
            }
            underWay.acquire(UNDER_WAY);
            underWay.release(UNDER_WAY);
            failure.ifPresent(reason -> {
                throw new IllegalStateException("not every queue pair could be created", reason);
            });
            long nanos = System.nanoTime() - began;
            long used = heap();
            System.out.printf(
                    "%,12d %,12.0f %,12d %,12d%n",
                    2 * end, 2e9 * (end - done) / nanos, used >> 20, (used - empty) / (2 * end));
        }
    }

    private void connect(int number) throws InterruptedException {
        Cable cable = cableOf(number);
        underWay.acquire();
        QpPair.connectRc(
                        cable.left.domain(), QpDescription.rc().withSendCq(cable.ofLeft),
                        cable.right.domain(), QpDescription.rc().withSendCq(cable.ofRight))
                .whenComplete((pair, refused) -> {
                    locals[number] = pair.local();
                    remotes[number] = pair.remote();
                    if (refused != null) {
                        failure = Optional.of(refused);
                    }
                    underWay.release();
                });
    }

    private Cable cableOf(int pair) {
        return cables.get(pair / OF_ONE_ADAPTER);
    }

    /** Sends over a sample of the pairs. */
    private void prove() {
        int proofs = Math.min(PROOFS, locals.length);
        long began = System.nanoTime();
        for (int proof = 0; proof < proofs; proof++) {
            int number = (int) ((long) proof * locals.length / proofs);
            Cable cable = cableOf(number);
            remotes[number].postReceive(Receive.of(number, cable.right.slice(0, BYTES)));
            WorkCompletion sent = network.await(locals[number].submit(Send.of(number, cable.left.slice(0, BYTES))));
            if (sent.status() != Status.SUCCESS) {
                throw new IllegalStateException("the SEND of pair " + number + " failed: " + sent);
            }
        }
        System.out.printf(
                "%d SENDs over as many pairs, and %d of them received, in %.1f s%n",
                proofs, received(), (System.nanoTime() - began) / 1e9);
    }

    private int received() {
        return cables.stream()
                .mapToInt(cable -> network.await(cable.ofRight.poll(PROOFS)).size())
                .sum();
    }

    private static void close(RdmaNetwork network) {
        long began = System.nanoTime();
        network.close();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.printf("closed in %.1f s; %d s are allowed%n", took.toMillis() / 1e3, CLOSED_WITHIN.toSeconds());
        if (took.compareTo(CLOSED_WITHIN) > 0) {
            throw new IllegalStateException("closing the network took too long");
        }
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
