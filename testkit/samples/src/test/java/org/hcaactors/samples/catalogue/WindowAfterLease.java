// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.MW_BIND;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A server lends a window for some time and invalidates it by its clock. Its client checks the time before it posts, but the
 * time may end while the WRITE is in flight: it is refused, and the connection fails. Correct: invalidate a window when its
 * user reports that it is done.
 */
final class WindowAfterLease {
    private static final Duration LEASE = Duration.ofNanos(40_000);

    /** End of the lease. */
    private interface End {
        void of(RcEnd server, int key, ScheduledExecutorService timers);
    }

    private static final End WRONG = (server, key, timers) -> {
        Runnable end = () -> server.submit(LocalInvalidate.of(2, key));
        timers.schedule(end, LEASE.toNanos(), TimeUnit.NANOSECONDS);
    };

    private static final End RIGHT = (server, key, timers) -> {
        // The client's last message invalidates it.
    };

    static Entry entry() {
        return Entry.of(
                WindowAfterLease.class,
                "a window is invalidated while its user may still use it",
                world -> new WindowAfterLease(world).run(world, WRONG),
                world -> new WindowAfterLease(world).run(world, RIGHT));
    }

    private final RcEnd client;
    private final RcEnd server;
    private final Clock clock;

    private WindowAfterLease(World world) {
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        client = pair.a();
        server = pair.b();
        clock = world.clock();
    }

    private void run(World world, End end) {
        MemoryWindow window = world.await(server.domain().allocateWindow(WindowType.TYPE_2));
        MemoryRegion region = world.await(server.domain().register(server.memory(), LOCAL_WRITE, MW_BIND));
        BindWindow lend = BindWindow.of(1, window, WindowBinding.of(region).withAccess(REMOTE_WRITE));
        assertThat(world.await(server.submit(lend)).isSuccess()).isTrue();
        server.postReceive(Receive.of(7));
        end.of(server, window.rkey(), world.executor(server.context().process()));
        Instant over = clock.instant().plus(LEASE);
        assertThat(world.await(writeUntil(over, window))).isEqualTo(Status.SUCCESS);
    }

    private CompletionStage<Status> writeUntil(Instant over, MemoryWindow window) {
        if (!clock.instant().isBefore(over)) {
            return client.submit(Send.of(9).withInvalidate(window.rkey())).thenApply(done -> Status.SUCCESS);
        }
        RdmaWrite write = RdmaWrite.of(
                8, client.slice(0, 8), window.remote(server.memory().address()));
        return client.submit(write)
                .thenCompose(done ->
                        done.isSuccess() ? writeUntil(over, window) : CompletableFuture.completedStage(done.status()));
    }
}
