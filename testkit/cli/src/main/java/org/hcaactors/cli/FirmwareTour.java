// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;

/** Part six of the tour: a firmware setting, the restart that makes it effective, and what it allows. */
final class FirmwareTour {
    private static final Duration PAUSE = Duration.ofNanos(20_000);
    static final Shape SHAPE =
            Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(8).withRetryCount(1));

    private final TourGround ground;
    private final Adapter alices;
    private final Adapter daves;
    private final HostProcess process;
    private final Waiter thread;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 600;

    FirmwareTour(TourGround ground, Adapter alices) {
        this.ground = ground;
        this.alices = alices;
        daves = ground.far("dave", Profile.CONNECTX_5_IBM);
        process = daves.process("app");
        thread = ground.await(process.startWaiter());
    }

    List<RcTour.Step> run() {
        set();
        ground.world().ifPresent(world -> steps.addAll(new WakeTour(world, alices, daves, thread).run()));
        return steps;
    }

    // --- a setting, and the restart that makes it effective ---

    private void set() {
        ConnectedPair before = connected();
        int setAt = ground.now();
        note("firmware", "set IBM_AS_NOTIFY_EN=True(1), effective after the next start");
        daves.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        steps.add(new RcTour.Step("AS-notify, after the setting, before a power cycle", "EOPNOTSUPP", made(), setAt));
        int from = ground.now();
        note("device", "power cycle of dave while its processes run");
        ground.await(daves.firmware().restart(Restart.POWER_CYCLE));
        steps.add(new RcTour.Step("AS-notify, after dave's power cycle", "granted", made(), from));
        write("WRITE to a queue pair from before the restart", before, Status.RETRY_EXC_ERR);
        write("WRITE to the same process after it opened dave again", connected(), Status.SUCCESS);
    }

    private void note(String element, String what) {
        ground.world().ifPresent(world -> world.tell(daves, element, what));
    }

    private ConnectedPair connected() {
        return ConnectedPair.between(ground.network(), alices, daves, SHAPE.with(ground.terms(SHAPE.attributes())));
    }

    /** Creates a completion queue that wakes the thread. */
    private String made() {
        try (DeviceContext context = process.open()) {
            ground.await(context.createCq(CqDescription.of(15).withWaiter(thread)));
            return "granted";
        } catch (VerbsException refused) {
            return refused.errno().name();
        }
    }

    private void write(String what, ConnectedPair pair, Status expected) {
        int from = ground.now();
        RdmaWrite work = RdmaWrite.of(++workId, pair.a().slice(0, 64), pair.b().remote(0));
        Status got = ground.await(pair.a().submit(work)).status();
        ground.runFor(PAUSE);
        steps.add(new RcTour.Step(what, expected, got, from));
    }
}
