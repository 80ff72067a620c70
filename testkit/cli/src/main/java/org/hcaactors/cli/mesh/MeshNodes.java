// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.mesh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.hcaactors.cli.node.ChildNode;
import org.hcaactors.cli.node.NodeException;
import org.hcaactors.judge.scale.Cluster;
import org.hcaactors.judge.scale.MeshPart;
import org.hcaactors.judge.scale.Scheme;

/** JVMs of this machine that hold a mesh together. One thread; {@link #stop} from any. */
public final class MeshNodes implements AutoCloseable {
    private final List<ChildNode> children = new CopyOnWriteArrayList<>();
    private final List<String> addresses = new ArrayList<>();

    /**
     * Part of a JVM.
     *
     * @param node its host and port
     */
    public record Share(String node, MeshPart.Cost cost) {}

    private MeshNodes() {}

    /**
     * Starts the JVMs, which form a cluster.
     *
     * @param main class of the hca command
     * @param number of JVMs
     * @param arguments for each of them
     * @throws NodeException if one does not start
     */
    public static MeshNodes start(Class<?> main, int number, List<String> arguments) throws NodeException {
        MeshNodes nodes = new MeshNodes();
        try {
            for (int each = 1; each <= number; each++) {
                nodes.add(main, "JVM " + each, arguments);
            }
            return nodes;
        } catch (NodeException failed) {
            nodes.close();
            throw failed;
        }
    }

    private void add(Class<?> main, String name, List<String> arguments) throws NodeException {
        List<String> all = new ArrayList<>(List.of("scale-node"));
        all.addAll(arguments);
        addresses.stream().limit(1).forEach(first -> all.addAll(List.of("--join", first)));
        try {
            ChildNode child = ChildNode.start(name, main, all);
            children.add(child);
            addresses.add(child.next(List.of("start")).path("node").asText());
        } catch (IOException refused) {
            throw new NodeException("a JVM does not start: " + refused.getMessage());
        }
    }

    /**
     * Places one adapter for each node of the mesh, connects all, measures, and drains the adapters again. A small mesh is built before, so
     * that the figures do not include one-time costs.
     *
     * @throws NodeException if a JVM ends, or an adapter refuses
     */
    public List<Share> measure(Scheme scheme, Cluster cluster) throws NodeException {
        measure(scheme, new Cluster(children.size(), 2), "warm-" + scheme.name());
        return measure(scheme, cluster, scheme.name());
    }

    private List<Share> measure(Scheme scheme, Cluster cluster, String name) throws NodeException {
        List<String> adapters = IntStream.range(0, cluster.nodes())
                .mapToObj(node -> name + "-" + node)
                .toList();
        askAll(
                MeshJson.line("begin")
                        .put("transport", scheme.name())
                        .put("nodes", cluster.nodes())
                        .put("processes", cluster.processes()),
                "begun");
        ask(children.getFirst(), withAdapters("place", adapters), "placed");
        List<JsonNode> created = askAll(MeshJson.line("create"), "created");
        Map<String, MeshPart.EndAddress> ends = new TreeMap<>();
        created.forEach(each -> ends.putAll(MeshJson.addresses(each)));
        for (int i = 0; i < children.size(); i++) {
            ObjectNode connect = MeshJson.line("connect");
            Map<String, MeshPart.EndAddress> peers = new TreeMap<>();
            MeshJson.texts(created.get(i).path("peers")).forEach(peer -> peers.put(peer, ends.get(peer)));
            MeshJson.put(connect, peers);
            children.get(i).send(connect.toString());
        }
        for (ChildNode child : children) {
            answer(child, "connected");
        }
        List<JsonNode> measured = askAll(MeshJson.line("measure"), "measured");
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            shares.add(new Share(addresses.get(i), cost(measured.get(i))));
        }
        ask(children.getFirst(), withAdapters("drain", adapters), "drained");
        return shares;
    }

    private static MeshPart.Cost cost(JsonNode line) {
        return new MeshPart.Cost(
                line.path("adapters").asInt(),
                line.path("queuePairs").asLong(),
                line.path("heapBytes").asLong(),
                line.path("nanos").asLong());
    }

    private static ObjectNode withAdapters(String task, List<String> adapters) {
        ObjectNode line = MeshJson.line(task);
        adapters.forEach(line.putArray("adapters")::add);
        return line;
    }

    private List<JsonNode> askAll(ObjectNode task, String event) throws NodeException {
        for (ChildNode child : children) {
            child.send(task.toString());
        }
        List<JsonNode> answers = new ArrayList<>();
        for (ChildNode child : children) {
            answers.add(answer(child, event));
        }
        return answers;
    }

    private static JsonNode ask(ChildNode child, ObjectNode task, String event) throws NodeException {
        child.send(task.toString());
        return answer(child, event);
    }

    private static JsonNode answer(ChildNode child, String event) throws NodeException {
        JsonNode answer = child.next(List.of(event, "refused"));
        if (!answer.path(MeshJson.KIND).asText().equals(event)) {
            throw new NodeException(answer.path("reason").asText());
        }
        return answer;
    }

    /** Asks all JVMs to end: {@link #measure} then fails. Any thread. */
    public void stop() {
        children.forEach(ChildNode::end);
    }

    @Override
    public void close() {
        stop();
        children.forEach(ChildNode::close);
    }
}
