// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;

/** Two ends that fill indirect keys. */
final class IndirectSetup implements AutoCloseable {
    static final int INLINE = 4;
    static final AccessFlags ALL = AccessFlags.LOCAL_AND_REMOTE;

    final World world;
    final RcEnd a;
    final RcEnd b;

    IndirectSetup(long seed) {
        this(seed, RcConnection.DEFAULT);
    }

    IndirectSetup(long seed, RcConnection attributes) {
        world = World.of(seed);
        Ends<RcEnd> ends = RcEnd.connect(world.network(), half("a"), half("b"), attributes);
        a = ends.a();
        b = ends.b();
    }

    private Half half(String name) {
        return Half.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5), Shape.DEFAULT)
                .withKeyFilling(INLINE);
    }

    IndirectKey key(RcEnd end) {
        return world.await(end.domain().createIndirectKey(IndirectKeyDescription.of(8)));
    }

    /** Returns a filled key with every right. */
    IndirectKey key(RcEnd end, KeyLayout layout) {
        IndirectKey key = key(end);
        assertThat(fill(end, key, layout)).isEqualTo(Status.SUCCESS);
        return key;
    }

    Status fill(RcEnd end, IndirectKey key, KeyLayout layout) {
        return status(end, FillKey.of(0, key, layout).withAccess(ALL));
    }

    Status status(RcEnd end, RcWork work) {
        return await(end.qp().submit(work));
    }

    Status await(CompletionStage<WorkCompletion> stage) {
        return world.await(stage).status();
    }

    /** Registers all of the end's memory. */
    MemoryRegion region(RcEnd end, AccessFlags rights) {
        return world.await(end.domain().register(end.memory(), 0, end.memory().lengthBytes(), rights));
    }

    static StridedSlice strided(RcEnd end, long offset, int bytes, int skip) {
        return new StridedSlice(end.region().lkey(), end.region().address() + offset, bytes, skip);
    }

    static LocalSlice of(MemoryRegion region, long offset, int bytes) {
        return region.slice(offset, bytes);
    }

    /** Returns bytes whose values identify their positions. */
    static byte[] pattern(int bytes) {
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) (i * 31 + i / 256 + 1);
        }
        return pattern;
    }

    @Override
    public void close() {
        world.close();
    }
}
