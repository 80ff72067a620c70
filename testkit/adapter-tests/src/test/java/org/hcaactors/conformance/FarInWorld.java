// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;

/** The passive end in a world. */
record FarInWorld(World world, RcEnd end, MemoryRegion plain) implements FarMemory {
    static RcPlace.Connected connect(Access... rights) {
        World world = World.of(23);
        ConnectedPair pair = world.connect(
                world.adapter("a"),
                world.adapter("b"),
                Shape.DEFAULT.with(RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(rights))));
        MemoryRegion plain = world.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE));
        return new RcPlace.Connected(world.network(), pair.a(), new FarInWorld(world, pair.b(), plain), world::close);
    }

    @Override
    public RemoteAddress remote(long offset) {
        return end.remote(offset);
    }

    @Override
    public RemoteAddress guarded() {
        return plain.remote(0);
    }

    @Override
    public long readLong(long offset) {
        return end.memory().readLong(offset);
    }

    @Override
    public void writeLong(long offset, long value) {
        end.memory().writeLong(offset, value);
    }

    @Override
    public void postReceive(long workId, long offset, int bytes) {
        end.postReceive(Receive.of(workId, end.slice(offset, bytes)));
    }

    @Override
    public List<Received> received() {
        world.runFor(Duration.ofMillis(1));
        List<WorkCompletion> came = world.await(end.recvCq().poll(10));
        return came.stream()
                .map(each -> new Received(each.workId(), each.status()))
                .toList();
    }
}
