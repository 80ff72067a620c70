// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Several nodes on this machine, each in a JVM of its own; each sends pings to every other one. */
public final class LocalNodes implements AutoCloseable {
    private final Class<?> main;
    private final List<String> arguments;
    private final List<String> names;
    private final List<ChildNode> started = Collections.synchronizedList(new ArrayList<>());

    /**
     * One line of the table.
     *
     * @param from name of the node's adapter
     * @param event what the node reported: {@code pinged} or {@code ping_failed}
     */
    public record Pair(String from, JsonNode event) {
        /** True if all pings came back. */
        public boolean isGood() {
            return event.path("event").asText().equals("pinged");
        }
    }

    /**
     * @param main class of the hca command
     * @param number of nodes
     * @param arguments for each of them
     */
    public LocalNodes(Class<?> main, int number, List<String> arguments) {
        this.main = main;
        this.arguments = List.copyOf(arguments);
        names = IntStream.rangeClosed(1, number)
                .mapToObj(each -> "node-" + each)
                .toList();
    }

    /**
     * Starts the nodes, and waits for the results of all of them.
     *
     * @param lines gets what happens, one call at a time
     * @throws NodeException if a node ends before it has reported
     */
    public List<Pair> run(Consumer<String> lines) throws NodeException, InterruptedException {
        String first = start(names.getFirst(), List.of(), lines);
        for (String name : names.subList(1, names.size())) {
            start(name, List.of("--join", first), lines);
        }
        List<Pair> all = new ArrayList<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Pair>>> results = started.stream()
                    .map(child -> readers.submit(() -> results(child)))
                    .toList();
            for (Future<List<Pair>> each : results) {
                all.addAll(each.get());
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof NodeException ended ? ended : new NodeException(failed.toString());
        }
        return all;
    }

    /** Starts a node; returns its address. */
    private String start(String name, List<String> entrance, Consumer<String> lines) throws NodeException {
        List<String> all = new ArrayList<>(List.of("node", "--json", "--name", name, "--until-input-ends"));
        all.addAll(arguments);
        all.addAll(entrance);
        names.stream().filter(other -> !other.equals(name)).forEach(other -> all.addAll(List.of("--ping", other)));
        try {
            ChildNode child = ChildNode.start(name, main, all);
            started.add(child);
            String address = child.next(List.of("start")).path("node").asText();
            lines.accept("node       " + name + " at " + address);
            return address;
        } catch (IOException refused) {
            throw new NodeException("a JVM for " + name + " does not start: " + refused.getMessage());
        }
    }

    private List<Pair> results(ChildNode child) throws NodeException {
        List<Pair> pairs = new ArrayList<>();
        while (pairs.size() < names.size() - 1) {
            pairs.add(new Pair(child.name(), child.next(List.of("pinged", "ping_failed"))));
        }
        return pairs;
    }

    /** Asks all nodes to end: {@link #run} then fails. Any thread. */
    public void stop() {
        List.copyOf(started).forEach(ChildNode::end);
    }

    @Override
    public void close() {
        stop();
        List.copyOf(started).forEach(ChildNode::close);
    }
}
