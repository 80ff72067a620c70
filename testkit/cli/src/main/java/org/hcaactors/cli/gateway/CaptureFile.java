// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.capture.PcapngWriter;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.wire.FrameEncoder;

/**
 * A capture of ports where packets enter and leave a fabric, as frames of Ethernet with the time of day. One thread at a time.
 */
public final class CaptureFile implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    private final PcapngWriter writer;
    private final Map<String, Integer> ports;
    private OptionalLong timeOfDay = OptionalLong.empty();
    private Optional<IOException> failure = Optional.empty();

    private CaptureFile(PcapngWriter writer, Map<String, Integer> ports) {
        this.writer = writer;
        this.ports = ports;
    }

    /**
     * Opens a file.
     *
     * @param names of the ports, each an interface of the file
     * @throws IOException if the file cannot be written
     */
    public static CaptureFile open(Path file, List<String> names) throws IOException {
        PcapngWriter writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file)));
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (String name : names) {
            ports.put(name, writer.addInterface(name));
        }
        return new CaptureFile(writer, ports);
    }

    /** Writes a packet that enters or leaves at one of the ports; other events are not written. */
    public void record(FabricEvent event) {
        switch (event) {
            case FabricEvent.Delivered leaving ->
                write(event, Direction.OUTBOUND, FrameEncoder.encode(leaving.packet()));
            case FabricEvent.Corrupted leaving ->
                write(event, Direction.OUTBOUND, leaving.frame().toArray());
            case FabricEvent.Sent arrived -> write(event, Direction.INBOUND, FrameEncoder.encode(arrived.packet()));
            case FabricEvent.Forged arrived ->
                write(event, Direction.INBOUND, arrived.frame().toArray());
            default -> {}
        }
    }

    private void write(FabricEvent event, Direction direction, byte[] frame) {
        Integer port = ports.get(event.port());
        if (port == null || failure.isPresent()) {
            return;
        }
        long nanos = event.stamp().nanos();
        long from = timeOfDay.orElseGet(() -> System.currentTimeMillis() * MILLI - nanos);
        timeOfDay = OptionalLong.of(from);
        try {
            writer.packet(port, from + nanos, direction, frame, List.of());
        } catch (IOException full) {
            failure = Optional.of(full);
        }
    }

    /** @throws IOException if not everything could be written */
    @Override
    public void close() throws IOException {
        try {
            writer.close();
        } catch (IOException full) {
            failure = failure.or(() -> Optional.of(full));
        }
        if (failure.isPresent()) {
            throw new IOException("the capture: " + failure.get().getMessage(), failure.get());
        }
    }
}
