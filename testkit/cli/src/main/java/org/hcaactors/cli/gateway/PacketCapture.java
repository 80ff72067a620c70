// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.capture.PcapngWriter;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.network.FabricWatch;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;

/** A capture of the packets of a cable, as the fabric has them: frames with MAC addresses that are made up. */
final class PacketCapture implements CableCapture {
    private static final int BACKLOG = 1 << 16;
    private static final long MILLI = 1_000_000;

    private final FabricWatch watch;
    private final PcapngWriter writer;
    private final int port;
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private OptionalLong timeOfDay = OptionalLong.empty();
    private boolean broken;

    private PacketCapture(FabricWatch watch, PcapngWriter writer, int port) {
        this.watch = watch;
        this.writer = writer;
        this.port = port;
    }

    /** @throws IOException if the file cannot be written */
    static CableCapture start(RdmaNetwork network, Path file) throws IOException {
        PcapngWriter writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file)));
        int port = writer.addInterface(Cable.PORT_NAME);
        PacketCapture capture = new PacketCapture(network.watch(BACKLOG), writer, port);
        capture.watch.events().subscribe(capture.new Events());
        return capture;
    }

    /** Requests a window of events ahead, and notes the end. */
    private final class Events implements Flow.Subscriber<FabricEvent> {
        private static final int WINDOW = 1024;

        private @Nullable Subscription subscription;
        private int taken;

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            given.request(WINDOW);
        }

        @Override
        public void onNext(FabricEvent event) {
            write(event);
            taken++;
            if (taken == WINDOW / 2 && subscription != null) {
                subscription.request(taken);
                taken = 0;
            }
        }

        @Override
        public void onError(Throwable error) {
            written.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            written.complete(null);
        }
    }

    private void write(FabricEvent event) {
        if (event.port().equals(Cable.PORT_NAME)) {
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
    }

    private void write(FabricEvent event, Direction direction, byte[] frame) {
        if (broken) {
            return;
        }
        long nanos = event.stamp().nanos();
        long from = timeOfDay.orElseGet(() -> System.currentTimeMillis() * MILLI - nanos);
        timeOfDay = OptionalLong.of(from);
        try {
            writer.packet(port, from + nanos, direction, frame, List.of());
        } catch (IOException full) {
            broken = true;
            written.completeExceptionally(full);
        }
    }

    @Override
    public long missing() {
        return watch.dropped();
    }

    @Override
    public void close() throws IOException {
        watch.close();
        try (writer) {
            written.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException failed) {
            throw new IOException("the capture: " + failed.getCause(), failed);
        }
    }
}
