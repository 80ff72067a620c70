// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;

/** Part five of the tour: masked atomics, and tunneled atomics in WRITEs. */
final class AtomicTour {
    private static final Duration PAUSE = Duration.ofNanos(20_000);
    private static final long ENDS_OF_BYTES = 0x8080_8080_8080_8080L;

    private final TourGround ground;
    private final Adapter alices;
    private final ConnectedPair pair;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 500;

    AtomicTour(TourGround ground, Adapter alices, Adapter bobs) {
        this.ground = ground;
        this.alices = alices;
        pair = ConnectedPair.between(ground.network(), alices, bobs, shape());
    }

    private Shape shape() {
        return Shape.DEFAULT.with(ground.terms(RcConnection.DEFAULT));
    }

    List<RcTour.Step> run() {
        masked();
        tunneled();
        return steps;
    }

    // --- masked atomics ---

    private void masked() {
        pair.b().memory().writeLong(0, 0xFF);
        becomes("adds 1 to each of eight bytes", 0x0101_0101_0101_0100L, eachByte());
        becomes(
                "swaps a byte unconditionally",
                0x0101_0101_0101_0107L,
                MaskedCompareAndSwap.swap(
                                ++workId, pair.a().slice(0, 8), pair.b().remote(0), 7)
                        .withSwapMask(0xFF));
        ground.loseNext(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        becomes("adds again; its answer is lost", 0x0202_0202_0202_0208L, eachByte());
    }

    private MaskedFetchAdd eachByte() {
        long one = 0x0101_0101_0101_0101L;
        return MaskedFetchAdd.of(++workId, pair.a().slice(0, 8), pair.b().remote(0), one)
                .withBoundary(ENDS_OF_BYTES);
    }

    private void becomes(String what, long expected, RcWork work) {
        int from = ground.now();
        Status status = ground.await(pair.a().qp().submit(work)).status();
        ground.runFor(PAUSE);
        String got = status == Status.SUCCESS ? hex(pair.b().memory().readLong(0)) : status.name();
        steps.add(new RcTour.Step("atomic that " + what, hex(expected), got, from));
    }

    private static String hex(long value) {
        return "%016x".formatted(value);
    }

    // --- tunneled atomics: commands to a host's memory controller ---

    private void tunneled() {
        Profile power = Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(Feature.TUNNELED_ATOMIC));
        Adapter carols = ground.far("carol", power);
        ConnectedPair to = ConnectedPair.between(ground.network(), alices, carols, shape());
        MemoryRegion region = ground.await(to.b()
                .domain()
                .register(Registration.of(to.b().memory())
                        .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                        .withTunneledAtomics()));
        to.b().memory().writeLong(0, 40);
        to.a().memory().write(0, command(0, 2));
        int from = ground.now();
        ground.await(to.a().submit(RdmaWrite.of(++workId, to.a().slice(0, 16), region.remote(0))));
        steps.add(new RcTour.Step(
                "WRITE of a command: carol's host adds 2 to 40",
                "42",
                String.valueOf(to.b().memory().readLong(0)),
                from));
        to.a().memory().write(0, command(8, 2));
        int bad = ground.now();
        Status refused = ground.await(
                        to.a().submit(RdmaWrite.of(++workId, to.a().slice(0, 16), region.remote(0))))
                .status();
        steps.add(new RcTour.Step("WRITE of an unknown command", Status.REM_INV_REQ_ERR, refused, bad));
    }

    /** Returns a command for the eight-byte value at the address of the WRITE. */
    private static byte[] command(int function, long operand) {
        return ByteBuffer.allocate(16)
                .putInt(function << 24 | 3 << 16)
                .putInt(0)
                .putLong(operand)
                .array();
    }
}
