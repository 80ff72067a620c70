// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A reader READs a whole table while its server changes it, and takes the result for one version. It has the beginning of one
 * version and the end of another. Correct: put the version number at both ends of the table, and READ again if they differ.
 */
final class TornTable {
    private static final int BYTES = 512 << 10;
    private static final int READS = 4;

    /** Decides whether the table is of one version. */
    private interface Check {
        boolean isWhole(long first, long last);
    }

    private static final Check WRONG = (first, last) -> true;

    private static final Check RIGHT = (first, last) -> first == last;

    static Entry entry() {
        return Entry.of(
                TornTable.class,
                "a table is READ while it changes, and its version is not looked at",
                world -> new TornTable(world, WRONG).run(world),
                world -> new TornTable(world, RIGHT).run(world));
    }

    /** Version numbers at both ends of the table. */
    private record Version(long first, long last) {}

    private final List<Version> taken = new ArrayList<>();
    private final Check check;
    private final RcEnd reader;
    private final RcEnd server;

    private TornTable(World world, Check check) {
        this.check = check;
        ConnectedPair pair = world.connect(world.adapter("reader"), world.adapter("server"));
        reader = pair.a();
        server = pair.b();
    }

    private void run(World world) {
        long[] version = {0};
        Runnable change = () -> {
            version[0]++;
            server.memory().writeLong(BYTES - 8, version[0]);
            server.memory().writeLong(0, version[0]);
        };
        Future<?> changes =
                world.executor(server.context().process()).scheduleWithFixedDelay(change, 0, 60, TimeUnit.MICROSECONDS);
        world.await(read());
        changes.cancel(false);
        assertThat(taken).as("versions").allMatch(each -> each.first() == each.last());
    }

    private CompletionStage<Void> read() {
        if (taken.size() == READS) {
            return CompletableFuture.completedStage(null);
        }
        return reader.submit(RdmaRead.of(1, reader.slice(0, BYTES), server.remote(0)))
                .thenCompose(done -> {
                    long first = reader.memory().readLong(0);
                    long last = reader.memory().readLong(BYTES - 8);
                    if (check.isWhole(first, last)) {
                        taken.add(new Version(first, last));
                    }
                    return read();
                });
    }
}
