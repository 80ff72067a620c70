// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hcaactors.lab.seeds.RunProperties;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Program of a JVM that runs seeds for another one. It ends when its standard input does. */
final class SeedWorker {
    /** One seed runs at a time: other JVMs run others. */
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private static final String CLASS_PATH = "java.class.path";

    private static final Duration PAUSE = Duration.ofMillis(JoinedJvm.LONGEST_SILENCE_MILLIS / 6);

    private SeedWorker() {}

    /** Runs the program; it takes no arguments. */
    public static void main(String[] none) throws IOException, InterruptedException {
        SeedLink link = SeedLink.of(new FileOutputStream(FileDescriptor.out), System.in);
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true)); // Tests may print.
        serve(link, () -> {});
    }

    /**
     * Sets the properties that come first, then runs pieces until the input ends, and with it this JVM.
     *
     * @param over called before this JVM ends
     */
    static void serve(SeedLink link, Runnable over) throws IOException, InterruptedException {
        DataOutputStream out = link.out();
        set(SeedWire.properties(link.in()));
        BlockingQueue<SeedWire.Piece> pieces = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("requests").start(() -> read(link.in(), pieces, over));
        AtomicBoolean running = new AtomicBoolean();
        Thread.ofPlatform().daemon().name("signs of life").start(() -> show(running, out));
        try (LauncherSession session = LauncherFactory.openSession()) {
            while (true) {
                SeedWire.Piece piece = pieces.take();
                running.set(true);
                run(session, piece, out);
                running.set(false);
                SeedWire.write(new SeedWire.Answer.Done(), out);
            }
        }
    }

    /** While seeds run, shows that this JVM is there: a seed may take longer than the other JVM waits for an answer. */
    private static void show(AtomicBoolean running, DataOutputStream out) {
        try {
            while (true) {
                Thread.sleep(PAUSE);
                if (running.get()) {
                    SeedWire.write(new SeedWire.Answer.Running(), out);
                }
            }
        } catch (IOException gone) {
            // The thread that reads sees it, too.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets the properties that this JVM lacks: those of the machine and of the JVM are its own. */
    private static void set(Map<String, String> properties) {
        properties.forEach((name, value) -> {
            if (name.equals(CLASS_PATH) || System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }

    /** Ends this JVM with its input, also during a seed that never ends. */
    private static void read(DataInputStream in, BlockingQueue<SeedWire.Piece> pieces, Runnable over) {
        try {
            while (true) {
                pieces.add(SeedWire.piece(in));
            }
        } catch (IOException ended) {
            over.run();
            Runtime.getRuntime().halt(0); // Shutdown hooks could wait for a test.
        }
    }

    private static void run(LauncherSession session, SeedWire.Piece piece, DataOutputStream out) throws IOException {
        SeedListener listener = new SeedListener(piece.seeds(), answer -> SeedWire.write(answer, out));
        session.getLauncher()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectUniqueId(piece.test()))
                                .configurationParameter(
                                        RunProperties.OF_NODE,
                                        String.join(
                                                ",",
                                                piece.seeds().stream()
                                                        .map(String::valueOf)
                                                        .toList()))
                                .configurationParameter(PARALLEL, "false")
                                .build(),
                        listener);
        listener.over();
    }
}
