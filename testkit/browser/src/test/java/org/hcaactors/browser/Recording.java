// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.views.flow.PacketCapture;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;

/**
 * A run, and the files made of it.
 *
 * @param name name of the files
 * @param events events, the oldest first
 */
record Recording(String name, Rlog.Header header, List<TraceEvent> events) {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final Path FOLDER = Path.of("target/reports");

    /** Requests in progress at each end of a long run, and the bytes of each. */
    private static final int AT_A_TIME = 16;

    private static final int BYTES = 8192;

    /** Returns the run of a guide scenario, such as {@code 02-lost-packet}. */
    static Recording ofGallery(String name) {
        try {
            return ofScenario(name, Files.readString(SCENARIOS.resolve(name + ".conf")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Recording ofScenario(String name, String text) {
        Scenario scenario = Scenario.parse(text, name);
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            return of(name, scenario.title(), run.world());
        }
    }

    /** Returns a run with every transport, with the faults that the seed draws. */
    static Recording ofMixedTraffic(long seed) {
        Sweep sweep = Sweep.of(1).from(seed).with(Swarm.WIRE).with(Watch.RECORDED);
        try (World world = sweep.world(seed)) {
            world.faults().arm(sweep.plan(seed));
            Traffic.MIXED.run(world);
            return of("mixed-" + seed, "mixed traffic, seed " + seed, world);
        }
    }

    /**
     * Returns the first events of a run in which two adapters write and read, some requests at a time, with occasional packet
     * loss.
     */
    static Recording ofLongRun(int count) {
        try (World world = World.of(WorldOptions.of(1).with(Watch.RECORDED))) {
            AtomicInteger recorded = new AtomicInteger();
            world.trace().listen(event -> recorded.incrementAndGet());
            world.faults().arm(FaultPlan.parse("faults = [ { drop { opcode = RC_WRITE_MIDDLE, every = 200 } } ]"));
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            while (recorded.get() < count) {
                List<CompletionStage<?>> ends = new ArrayList<>();
                for (int i = 0; i < AT_A_TIME; i++) {
                    ends.add(pair.a()
                            .submit(RdmaWrite.of(
                                    i, pair.a().slice(0, BYTES), pair.b().remote(0))));
                    ends.add(pair.b()
                            .submit(RdmaRead.of(
                                    i, pair.b().slice(0, BYTES), pair.a().remote(0))));
                }
                ends.forEach(world::await);
            }
            return new Recording(
                    "long", Rlog.Header.of("A long run"), world.trace().events().subList(0, count));
        }
    }

    /** Returns a run of two programs that send to each other, each with one completion queue for sends and one for receives. */
    static Recording ofMessages(int count) {
        try (World world = World.of(WorldOptions.of(1).with(Watch.RECORDED))) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            for (int i = 0; i < count; i++) {
                pair.a().postReceive(Receive.of(i, pair.a().slice(0, 64)));
                pair.b().postReceive(Receive.of(i, pair.b().slice(0, 64)));
                world.await(pair.a().submit(Send.of(i, pair.a().slice(64, 64))));
                world.await(pair.b().submit(Send.of(i, pair.b().slice(64, 64))));
            }
            return of("messages", "Messages both ways", world);
        }
    }

    private static Recording of(String name, String title, World world) {
        Rlog.Header header = new Rlog.Header(
                title, OptionalLong.of(world.seed()), world.faults().plan().toHocon());
        return new Recording(name, header, world.trace().events());
    }

    /** Returns the events of one kind, the oldest first. */
    <E extends TraceEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    Path report() {
        try {
            Path file = file(".html");
            Report.write(header, events, 0, file);
            return file;
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    Path capture() {
        try {
            Path file = file(".pcapng");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                PacketCapture.write(events, out);
            }
            return file;
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private Path file(String suffix) throws IOException {
        return Files.createDirectories(FOLDER).resolve(name + suffix).toAbsolutePath();
    }
}
