// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.hcaactors.actors.flight.FlightSink;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;

/** Writes once on a network that is recorded in two ways, and once in a world. */
public final class RecordingProgram {
    private static final String REQUEST = "org.hcaactors.Request";

    private RecordingProgram() {}

    private static void write(RdmaNetwork network) {
        Adapter alice = network.addAdapter("alice", Profile.CONNECTX_5);
        Adapter bob = network.addAdapter("bob", Profile.CONNECTX_5);
        ConnectedPair pair = ConnectedPair.between(network, alice, bob);
        network.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
    }

    private static void recorded(Path folder) throws IOException {
        TraceRecorder recorder = new TraceRecorder();
        Path run = folder.resolve("run.rlog");
        Path flight = folder.resolve("run.jfr");
        try (Recording recording = new Recording();
                FlightSink sink = FlightSink.open()) {
            recording.enable(REQUEST).withoutThreshold();
            recording.start();
            recorder.listen(sink::record);
            try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(recorder))) {
                write(network);
            }
            recording.stop();
            recording.dump(flight);
        }
        RlogWriter.write(Rlog.Header.of("one write"), recorder.events(), recorder.forgotten(), run);
        System.out.println(
                "read as written: " + RlogReader.read(run).events().equals(recorder.events()));
        List<String> events = RecordingFile.readAllEvents(flight).stream()
                .map(event -> event.getEventType().getName())
                .toList();
        System.out.println("requests in the flight recording: "
                + events.stream().filter(REQUEST::equals).count());
    }

    public static void main(String[] arguments) throws IOException {
        recorded(Files.createDirectories(Path.of(arguments[0])));
        try (World world = World.of(1)) {
            write(world.network());
        }
        System.out.println("a world has ended");
    }
}
