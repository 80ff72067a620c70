// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A telemetry program posts unsignaled samples. Their slots in the send queue are freed only when a later completion is polled,
 * so posting fails with ENOMEM after one queue length. Correct: signal a request regularly, at least once in half a queue
 * length.
 */
final class UnsignaledStretch {
    private static final int SAMPLES = 500;

    /** Decides which samples are signaled. */
    private interface Signals {
        boolean isSignaled(int sample);
    }

    private static final Signals WRONG = sample -> sample == SAMPLES - 1;

    private static final Signals RIGHT = sample -> sample % 32 == 31 || sample == SAMPLES - 1;

    static Entry entry() {
        return Entry.of(
                UnsignaledStretch.class,
                "more requests without completion than the send queue has places",
                world -> new UnsignaledStretch(world, WRONG).run(world),
                world -> new UnsignaledStretch(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final Signals signals;
    private final RcEnd probe;
    private final RcEnd monitor;

    private UnsignaledStretch(World world, Signals signals) {
        this.signals = signals;
        ConnectedPair pair = world.connect(world.adapter("probe"), world.adapter("monitor"));
        probe = pair.a();
        monitor = pair.b();
    }

    private void run(World world) {
        post(0);
        world.await(all);
        assertThat(monitor.memory().readLong(0)).isEqualTo(SAMPLES - 1);
    }

    private void post(int first) {
        int sample = first;
        for (; !signals.isSignaled(sample); sample++) {
            probe.post(write(sample));
        }
        int last = sample;
        probe.submit(write(last)).thenRun(() -> {
            if (last == SAMPLES - 1) {
                all.complete(null);
            } else {
                post(last + 1);
            }
        });
    }

    private RdmaWrite write(int sample) {
        probe.memory().writeLong(0, sample);
        return RdmaWrite.of(sample, probe.slice(0, 8), monitor.remote(0)).withInline();
    }
}
