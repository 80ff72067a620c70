// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.FrameObserver;
import org.hcaactors.fabric.capture.PcapngWriter;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;

/** A capture of the frames of a cable, as they are on the wire, with ARP and neighbor discovery. The cable waits for the file. */
final class FrameCapture implements CableCapture, FrameObserver {
    private static final long MILLI = 1_000_000;

    private final PcapngWriter writer;
    private final int port;
    private final FrameSource source;
    private final long origin = System.currentTimeMillis() * MILLI - System.nanoTime();
    private Optional<IOException> failure = Optional.empty();
    private boolean closed;

    private FrameCapture(PcapngWriter writer, int port, FrameSource source) {
        this.writer = writer;
        this.port = port;
        this.source = source;
    }

    static CableCapture start(FrameSource source, Path file) throws IOException {
        PcapngWriter writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file)));
        FrameCapture capture = new FrameCapture(writer, writer.addInterface(Cable.PORT_NAME), source);
        source.observed(capture);
        return capture;
    }

    @Override
    public void sent(byte[] frame) {
        write(Direction.OUTBOUND, frame);
    }

    @Override
    public void received(byte[] frame) {
        write(Direction.INBOUND, frame);
    }

    private synchronized void write(Direction direction, byte[] frame) {
        if (!closed && failure.isEmpty()) {
            try {
                writer.packet(port, origin + System.nanoTime(), direction, frame, List.of());
            } catch (IOException full) {
                failure = Optional.of(full);
            }
        }
    }

    @Override
    public long missing() {
        return 0;
    }

    @Override
    public synchronized void close() throws IOException {
        source.observed(FrameObserver.NONE);
        if (!closed) {
            closed = true;
            try {
                writer.close();
            } catch (IOException full) {
                failure = failure.or(() -> Optional.of(full));
            }
        }
        if (failure.isPresent()) {
            throw new IOException("the capture: " + failure.get().getMessage(), failure.get());
        }
    }
}
