// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.network.FabricWatch;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;

/** A capture of the packets of a cable, as the fabric has them: frames with MAC addresses that are made up. */
final class PacketCapture implements CableCapture {
    private static final int BACKLOG = 1 << 16;

    private final FabricWatch watch;
    private final CaptureFile file;
    private final CompletableFuture<Void> written = new CompletableFuture<>();

    private PacketCapture(FabricWatch watch, CaptureFile file) {
        this.watch = watch;
        this.file = file;
    }

    /** @throws IOException if the file cannot be written */
    static CableCapture start(RdmaNetwork network, Path file) throws IOException {
        CaptureFile opened = CaptureFile.open(file, List.of(Cable.PORT_NAME));
        PacketCapture capture = new PacketCapture(network.watch(BACKLOG), opened);
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
            file.record(event);
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

    @Override
    public long missing() {
        return watch.dropped();
    }

    @Override
    public void close() throws IOException {
        watch.close();
        try (file) {
            written.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException failed) {
            throw new IOException("the capture: " + failed.getCause(), failed);
        }
    }
}
