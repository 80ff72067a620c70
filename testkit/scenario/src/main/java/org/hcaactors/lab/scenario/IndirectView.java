// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.scenario.Scenario.Pieces;
import org.hcaactors.lab.world.World;

/** An end's memory seen through an indirect key: pieces at a constant stride, one after the other. */
record IndirectView(End end, Pieces pieces, IndirectKey key) {
    /** Creates and fills the key at that end. */
    static IndirectView of(World world, End end, Pieces pieces, long shownBytes) {
        IndirectKey key = world.await(end.domain().createIndirectKey(IndirectKeyDescription.of(2)));
        StridedSlice piece = StridedSlice.ofStride(
                end.region().lkey(), end.region().address(), pieces.bytes(), pieces.strideBytes());
        KeyLayout layout = KeyLayout.interleaved((int) count(pieces, shownBytes), piece);
        world.await(end.submit(FillKey.of(0, key, layout).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        return new IndirectView(end, pieces, key);
    }

    private static long count(Pieces pieces, long shownBytes) {
        return (shownBytes + pieces.bytes() - 1) / pieces.bytes();
    }

    /** Returns the size of the memory that contains the pieces. */
    static long memoryBytes(Pieces pieces, long shownBytes) {
        return count(pieces, shownBytes) * pieces.strideBytes();
    }

    /** Reads the bytes that the key shows there. */
    byte[] read(long offset, int bytes) {
        byte[] shown = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            long at = offset + i;
            long place = at / pieces.bytes() * pieces.strideBytes() + at % pieces.bytes();
            shown[i] = end.memory().read(place, 1)[0];
        }
        return shown;
    }
}
