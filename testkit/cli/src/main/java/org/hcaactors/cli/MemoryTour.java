// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;

/** Part three of the tour: memory keys: reregistration, an indirect key, a window. */
final class MemoryTour {
    private static final int BYTES = 8192;
    private static final Shape SHAPE =
            new Shape(RcConnection.DEFAULT, QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0), 63, BYTES);

    /** Rows of a matrix of bytes. */
    private static final int ROWS = 64;

    private static final int ROW_BYTES = 128;

    private final TourGround ground;
    private final RcEnd alice;
    private final RcEnd bob;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 300;

    MemoryTour(TourGround ground, Adapter alice, Adapter bob) {
        this.ground = ground;
        Half left = Half.of(ground.network(), alice, SHAPE);
        Half right = Half.of(ground.network(), bob, SHAPE).withKeyFilling(4);
        Ends<RcEnd> ends = RcEnd.connect(ground.network(), left, right, ground.terms(SHAPE.attributes()));
        this.alice = ends.a();
        this.bob = ends.b();
    }

    List<RcTour.Step> run() {
        reregistered();
        column();
        window();
        return steps;
    }

    private void reregistered() {
        int from = ground.events().size();
        MemoryRegion region = ground.await(bob.domain().register(bob.memory(), Access.REMOTE_READ));
        HostMemory other = bob.context().process().allocate(BYTES);
        ground.await(
                region.reregister(Reregistration.of(Reregistration.Change.TRANSLATION, Reregistration.Change.ACCESS)
                        .withTranslation(other)
                        .withAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        ground.settle();
        step("WRITE to a reregistered region", from, alice, write(64, region.remote(0)), Status.SUCCESS);
    }

    /** Uses a key for one byte of each row. */
    private void column() {
        IndirectKey column = ground.await(bob.domain().createIndirectKey(IndirectKeyDescription.of(2)));
        MemoryRegion matrix = bob.region();
        KeyLayout layout =
                KeyLayout.interleaved(ROWS, new StridedSlice(matrix.lkey(), matrix.address() + 5, 1, ROW_BYTES - 1));
        FillKey fill = FillKey.of(++workId, column, layout).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        step("UMR: a key for one column of a matrix", bob, fill, Status.SUCCESS);
        step("WRITE of the column by one request", alice, write(ROWS, column.remote(0)), Status.SUCCESS);
    }

    private void window() {
        MemoryRegion region = ground.await(bob.domain().register(bob.memory(), Access.LOCAL_WRITE, Access.MW_BIND));
        MemoryWindow window = ground.await(bob.domain().allocateWindow(WindowType.TYPE_2));
        long address = region.address() + 4096;
        BindWindow bind = BindWindow.of(
                ++workId, window, WindowBinding.of(region, address, 1024).withAccess(Access.REMOTE_WRITE));
        step("BIND_MW of a window of 1,024 bytes", bob, bind, Status.SUCCESS);
        step("WRITE through the window", alice, write(1024, window.remote(address)), Status.SUCCESS);
        bob.postReceive(Receive.of(1, bob.slice(0, 64)));
        Send last = Send.of(++workId, alice.slice(0, 64)).withInvalidate(window.rkey());
        step("SEND that invalidates the window", alice, last, Status.SUCCESS);
        step("WRITE through the invalidated window", alice, write(8, window.remote(address)), Status.REM_ACCESS_ERR);
    }

    private RdmaWrite write(int bytes, RemoteAddress to) {
        LocalSlice from = alice.slice(0, bytes);
        return RdmaWrite.of(++workId, from, to);
    }

    private void step(String what, RcEnd end, RcWork work, Status expected) {
        ground.settle();
        step(what, ground.events().size(), end, work, expected);
    }

    private void step(String what, int from, RcEnd end, RcWork work, Status expected) {
        Status got = ground.await(end.qp().submit(work)).status();
        ground.runFor(Duration.ofNanos(20_000));
        steps.add(new RcTour.Step(what, expected, got, from));
    }
}
