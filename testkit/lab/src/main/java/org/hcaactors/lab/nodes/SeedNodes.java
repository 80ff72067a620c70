// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * JVMs that run seeds of this JVM's tests: some of this machine, which end with it, and those that join at a port. One that ends before
 * gives its seeds to the others. Any thread.
 */
public final class SeedNodes implements AutoCloseable {
    private static final int SECONDS_PER_LINE = 10;

    /** Maximum number of JVMs at a time, those of this machine included. */
    static final int MAX_JVMS = 256;

    private final Set<SeedNode> jvms = new LinkedHashSet<>();
    private final Set<TestSeeds> open = new LinkedHashSet<>();
    private final ScheduledExecutorService lines = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("progress-of-seeds").factory());
    private Optional<SeedPort> port = Optional.empty();
    private boolean closed;

    private record Piece(TestSeeds test, SeedWire.Piece seeds) {}

    private SeedNodes() {}

    /** True if JUnit's launcher, with which these JVMs run tests, is on the class path. */
    public static boolean isLauncherThere() {
        return SeedNodes.class.getClassLoader().getResource("org/junit/platform/launcher/Launcher.class") != null;
    }

    /**
     * Starts JVMs with the class path, the arguments and the system properties of this one, without its agents.
     *
     * @param listen where other JVMs may join
     * @throws IOException if one cannot be started, or the address cannot be used
     */
    public static SeedNodes start(int number, Optional<HostPort> listen) throws IOException {
        SeedNodes nodes = new SeedNodes();
        try {
            for (int i = 1; i <= number; i++) {
                nodes.add(NodeJvm.start("jvm " + i));
            }
            if (listen.isPresent()) {
                nodes.listen(listen.get());
            }
        } catch (IOException refused) {
            nodes.close();
            throw refused;
        }
        nodes.lines.scheduleAtFixedRate(nodes::show, SECONDS_PER_LINE, SECONDS_PER_LINE, TimeUnit.SECONDS);
        return nodes;
    }

    private void listen(HostPort address) throws IOException {
        SeedPort opened = SeedPort.open(address, this::join);
        port = Optional.of(opened);
        System.err.println("JVMs that run seeds may join at " + opened.address());
    }

    /** Returns the address at which JVMs join. */
    Optional<HostPort> address() {
        return port.map(SeedPort::address);
    }

    private synchronized void join(JoinedJvm jvm) {
        if (closed || jvms.size() >= MAX_JVMS) {
            jvm.close();
        } else {
            System.err.println(jvm.name() + " runs seeds, too");
            add(jvm);
        }
    }

    private synchronized void add(SeedNode jvm) {
        jvms.add(jvm);
        Thread.ofPlatform().daemon().name("seeds of " + jvm.name()).start(() -> serve(jvm));
    }

    /**
     * Hands out the seeds of a test.
     *
     * @param id JUnit's unique id of the test method
     * @param name for readers
     */
    public synchronized TestSeeds open(String id, String name, List<Long> seeds) {
        TestSeeds test = new TestSeeds(this, id, name, new SeedLedger(seeds));
        open.add(test);
        notifyAll();
        return test;
    }

    synchronized NodeResult await(TestSeeds test, long seed) throws InterruptedException {
        Optional<NodeResult> result = test.ledger().take(seed);
        while (result.isEmpty() && !jvms.isEmpty() && open.contains(test)) {
            wait();
            result = test.ledger().take(seed);
        }
        return result.orElse(new NodeResult.NotRun());
    }

    synchronized void close(TestSeeds test) {
        if (open.remove(test)) {
            System.err.println(test.line());
            notifyAll();
        }
    }

    private synchronized void show() {
        open.stream().filter(TestSeeds::hasBegun).forEach(test -> System.err.println(test.line()));
    }

    private void serve(SeedNode jvm) {
        Optional<Piece> piece = Optional.empty();
        try (jvm) {
            for (piece = next(jvm); piece.isPresent(); piece = next(jvm)) {
                TestSeeds test = piece.get().test();
                jvm.link().run(piece.get().seeds(), answer -> take(jvm, test, answer));
            }
        } catch (IOException | RuntimeException gone) { // An answer that cannot be read is the last one, too.
            lost(jvm, piece.map(Piece::test), jvm.end());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<Piece> next(SeedNode jvm) throws InterruptedException {
        while (!closed) {
            for (TestSeeds test : open) {
                List<Long> seeds = test.ledger().handOut(jvm.name(), jvms.size());
                if (!seeds.isEmpty()) {
                    return Optional.of(new Piece(test, new SeedWire.Piece(test.id(), seeds)));
                }
            }
            wait();
        }
        return Optional.empty();
    }

    private synchronized void take(SeedNode jvm, TestSeeds test, SeedWire.Answer answer) {
        switch (answer) {
            case SeedWire.Answer.Begun(long seed) -> test.ledger().begin(jvm.name(), seed);
            case SeedWire.Answer.Ended(long seed, String end) ->
                test.ledger().end(jvm.name(), seed, new NodeResult.Ended(SeedEndText.parse(end)));
            case SeedWire.Answer.Failed(long seed, String text) ->
                test.ledger().end(jvm.name(), seed, new NodeResult.Failed(jvm.name(), text));
            case SeedWire.Answer.Running running -> {}
            case SeedWire.Answer.Done done -> {}
        }
        notifyAll();
    }

    private synchronized void lost(SeedNode jvm, Optional<TestSeeds> test, String end) {
        jvms.remove(jvm);
        test.ifPresent(one -> one.ledger().giveBack(jvm.name(), end));
        if (!closed) {
            System.err.println(jvm.name() + " " + end + "; JVMs left for its seeds: " + jvms.size());
        }
        notifyAll();
    }

    /** Ends the JVMs; waits for some seconds at most. */
    @Override
    public void close() {
        List<SeedNode> left;
        synchronized (this) {
            closed = true;
            open.clear();
            left = List.copyOf(jvms);
            notifyAll();
        }
        lines.shutdownNow();
        port.ifPresent(SeedPort::close);
        left.forEach(SeedNode::close);
    }
}
