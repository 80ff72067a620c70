// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_READ;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A reader takes a completion of a READ as its data, while the cache, in memory with on-demand paging, returns that memory to
 * its host. The reader returns the old bytes of its buffer as the value of another key. Correct: check the status before
 * reading the buffer.
 */
final class StatusNotLookedAt {
    private static final int KEYS = 16;
    private static final int TRIMMED_AFTER_MICROS = 20;

    /** Decides whether there is a value in the buffer. */
    private interface Look {
        boolean isHit(WorkCompletion completion);
    }

    private static final Look WRONG = completion -> true;

    private static final Look RIGHT = completion -> completion.isSuccess();

    static Entry entry() {
        return Entry.of(
                StatusNotLookedAt.class,
                "the status of a completion is not looked at",
                world -> new StatusNotLookedAt(world, WRONG).run(world),
                world -> new StatusNotLookedAt(world, RIGHT).run(world));
    }

    private final Map<Integer, Long> values = new HashMap<>();
    private final Look look;
    private final RcEnd reader;
    private final HostMemory cache;
    private final MemoryRegion region;

    private StatusNotLookedAt(World world, Look look) {
        this.look = look;
        ConnectedPair pair = world.connect(world.adapter("reader"), world.adapter("cache"));
        reader = pair.a();
        cache = pair.b().context().process().allocate(KEYS * 4096);
        region = world.await(pair.b()
                .domain()
                .register(Registration.of(cache)
                        .withAccess(LOCAL_WRITE, REMOTE_READ)
                        .withOnDemandPaging()));
        for (int key = 0; key < KEYS; key++) {
            cache.writeLong(key * 4096L, 100 + key);
        }
        world.await(pair.b()
                .domain()
                .advise(Prefetch.of(Prefetch.Purpose.READ, region.slice(0, KEYS * 4096))
                        .withFlush()));
        world.executor(pair.b().context().process())
                .schedule(cache::closeAsync, TRIMMED_AFTER_MICROS, TimeUnit.MICROSECONDS);
    }

    private void run(World world) {
        world.await(readFrom(0));
        assertThat(values)
                .allSatisfy((key, value) ->
                        assertThat(value).as("value of key %d", key).isEqualTo(100 + key));
    }

    private CompletionStage<?> readFrom(int key) {
        if (key == KEYS) {
            return CompletableFuture.completedStage(null);
        }
        return reader.submit(RdmaRead.of(key, reader.slice(0, 8), region.remote(key * 4096L)))
                .thenCompose(read -> {
                    if (!look.isHit(read)) {
                        return CompletableFuture.completedStage(null); // the connection has ended
                    }
                    values.put(key, reader.memory().readLong(0));
                    return readFrom(key + 1);
                });
    }
}
