// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A log takes every completion as a stored record, and posts the next one. At the end of a connection completions report
 * flushed requests, which were not executed, so lost records count as stored. Correct: check the status, and post no more after
 * an error.
 */
final class FlushTakenForSuccess {
    private static final int RECORDS = 64;
    private static final int WINDOW = 4;

    /** Decides whether a record is stored. */
    private interface Verdict {
        boolean isStored(WorkCompletion completion);
    }

    private static final Verdict WRONG =
            completion -> completion.status() != Status.RETRY_EXC_ERR; // nothing else can go wrong

    private static final Verdict RIGHT = completion -> completion.isSuccess();

    static Entry entry() {
        return Entry.of(
                FlushTakenForSuccess.class,
                "requests that were flushed count as done",
                world -> new FlushTakenForSuccess(world, WRONG).run(world),
                world -> new FlushTakenForSuccess(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final List<Long> stored = new ArrayList<>();
    private final Verdict verdict;
    private final RcEnd log;
    private final RcEnd store;
    private long posted;
    private int underWay;

    private FlushTakenForSuccess(World world, Verdict verdict) {
        this.verdict = verdict;
        ConnectedPair pair = world.connect(world.adapter("log"), world.adapter("store"));
        log = pair.a();
        store = pair.b();
    }

    private void run(World world) {
        log.sendCq().completions().subscribe(Subscribers.forEach(this::completed));
        world.executor(store.context().process())
                .schedule(() -> store.qp().destroy(), 10, TimeUnit.MICROSECONDS); // the store goes down
        for (int i = 0; i < WINDOW; i++) {
            append();
        }
        world.await(over);
        assertThat(stored)
                .allSatisfy(record -> assertThat(store.memory().readLong(8 * record))
                        .as("record %d, which is stored", record)
                        .isEqualTo(record + 1));
    }

    private void append() {
        if (posted < RECORDS) {
            log.memory().writeLong(8 * posted, posted + 1);
            log.post(RdmaWrite.of(posted, log.slice(8 * posted, 8), store.remote(8 * posted))
                    .withSignaled());
            posted++;
            underWay++;
        }
    }

    private void completed(WorkCompletion completion) {
        underWay--;
        if (verdict.isStored(completion)) {
            stored.add(completion.workId());
            append();
        }
        if (underWay == 0) {
            over.complete(null);
        }
    }
}
