// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The clients of a service: each one is served on a thread of its own, and a line tells what became of it. Any thread.
 *
 * <p>Limits: {@value #MOST_AT_ONCE} at the same time; further ones are refused.
 */
public final class Clients implements AutoCloseable {
    private static final int MOST_AT_ONCE = 64;
    private static final Duration LONGEST_END = Duration.ofSeconds(15);

    private final Consumer<ClientEvent> events;
    private final CountDownLatch wanted;
    private final boolean counted;
    private final List<Thread> served = new ArrayList<>();
    private long begun;
    private long failed;
    private boolean closed;

    /** Service for one client. */
    interface Visit {
        /**
         * Serves the client.
         *
         * @param lines tells what happens, for this client
         */
        Outcome serve(String name, Consumer<String> lines) throws IOException, InterruptedException;
    }

    /**
     * @param events gets what happens, one call at a time
     * @param number clients after which the service is over; 0: any
     */
    public Clients(Consumer<ClientEvent> events, int number) {
        this.events = events;
        wanted = new CountDownLatch(Math.max(1, number));
        counted = number > 0;
    }

    /** Serves a client, unless there are too many; the caller then closes its connection. */
    synchronized boolean begin(InetSocketAddress client, Visit visit) {
        String from = client.getAddress().getHostAddress() + ":" + client.getPort();
        if (closed || served.size() >= MOST_AT_ONCE) {
            tell(new ClientEvent.Refused(from, MOST_AT_ONCE + " are served already"));
            return false;
        }
        begun++;
        long number = begun;
        tell(new ClientEvent.Begun(number, from));
        Thread thread = Thread.ofVirtual().name("client-" + number).unstarted(() -> serve(number, visit));
        served.add(thread);
        thread.start();
        return true;
    }

    private void serve(long number, Visit visit) {
        boolean done = false;
        try {
            Outcome outcome = visit.serve("client-" + number, words -> tell(new ClientEvent.Told(number, words)));
            tell(new ClientEvent.Ended(number, outcome));
            done = true;
        } catch (InterruptedException | ClosedByInterruptException stopped) {
            tell(new ClientEvent.Stopped(number));
        } catch (IOException | RuntimeException failure) {
            // A read from a socket is interrupted with an exception that says so in words only.
            tell(
                    Thread.currentThread().isInterrupted()
                            ? new ClientEvent.Stopped(number)
                            : new ClientEvent.Failed(number, firstLine(failure)));
        } finally {
            ended(done);
        }
    }

    private static String firstLine(Exception failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse(failure.getClass().getSimpleName());
    }

    private synchronized void ended(boolean done) {
        served.remove(Thread.currentThread());
        if (!done) {
            failed++;
        }
        if (counted) {
            wanted.countDown();
        }
    }

    synchronized void tell(ClientEvent event) {
        events.accept(event);
    }

    /** Waits until so many clients have been served as were asked for, {@link #stop} is called, or that time is over. */
    public void await(Duration atMost) throws InterruptedException {
        wanted.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends {@link #await}. */
    public void stop() {
        while (wanted.getCount() > 0) {
            wanted.countDown();
        }
    }

    /** True if a number of clients was asked for, and not all of them were served to their end. */
    public synchronized boolean missing() {
        return counted && (failed > 0 || wanted.getCount() > 0);
    }

    /** Stops the clients that are being served. */
    @Override
    public void close() {
        List<Thread> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(served);
        }
        all.forEach(Thread::interrupt);
        try {
            for (Thread each : all) {
                each.join(LONGEST_END);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
