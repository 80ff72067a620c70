// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.mesh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.cli.node.ClusterNode;
import org.hcaactors.judge.scale.Cluster;
import org.hcaactors.judge.scale.MeshPart;
import org.hcaactors.judge.scale.Scheme;
import org.hcaactors.judge.scale.Schemes;
import org.hcaactors.placement.AdapterPlacement;
import org.hcaactors.placement.PlacedAdapter;
import org.hcaactors.placement.PlacedProgram;
import org.hcaactors.placement.PlacementException;
import org.hcaactors.placement.PlacementSettings;

/** A node that takes adapters of meshes and does what its input says, line by line. One thread; programs begin and end on others. */
public final class MeshNode {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration DRAIN = Duration.ofSeconds(60);

    private final ClusterNode node;
    private final PrintWriter out;
    private final AdapterPlacement placement;
    private volatile Optional<MeshPart> part = Optional.empty();

    /** @param out gets a line for each line of the input */
    public MeshNode(ClusterNode node, Profile profile, PrintWriter out) {
        this.node = node;
        this.out = out;
        placement = AdapterPlacement.start(
                node.system(),
                node.network(),
                this::begin,
                PlacementSettings.of(profile).withDrainTime(DRAIN).withPlaceTime(LONGEST));
    }

    /** The number of a node of the mesh is the end of its adapter's name. */
    private PlacedProgram.Running begin(Adapter adapter) {
        MeshPart of = part.orElseThrow(() -> new IllegalStateException("no mesh has begun at this node"));
        int number = Integer.parseInt(adapter.name().substring(adapter.name().lastIndexOf('-') + 1));
        of.add(number, adapter);
        return () -> of.remove(number);
    }

    /** Does all tasks, until the input ends. */
    public void run(BufferedReader tasks) throws IOException {
        tell(MeshJson.line("start").put("node", node.address()));
        Optional<String> line = Optional.ofNullable(tasks.readLine());
        while (line.isPresent()) {
            tell(answer(JSON.readTree(line.get())));
            line = Optional.ofNullable(tasks.readLine());
        }
    }

    private void tell(ObjectNode line) {
        out.println(line);
        out.flush();
    }

    private ObjectNode answer(JsonNode task) {
        try {
            return switch (task.path(MeshJson.KIND).asText()) {
                case "begin" -> begin(task);
                case "place" -> place(MeshJson.texts(task.path("adapters")));
                case "create" -> create();
                case "connect" -> {
                    mesh().connect(MeshJson.addresses(task));
                    yield MeshJson.line("connected");
                }
                // By now nothing of the tasks before is left.
                case "measure" -> measure();
                case "drain" -> drain(MeshJson.texts(task.path("adapters")));
                default -> throw new IllegalArgumentException("no task is called " + task.path(MeshJson.KIND));
            };
        } catch (VerbsException refused) {
            return MeshJson.line("refused").put("reason", "an adapter refused a verb: " + refused.getMessage());
        } catch (PlacementException | IllegalStateException | IllegalArgumentException failed) {
            return MeshJson.line("refused").put("reason", failed.getMessage());
        }
    }

    private ObjectNode begin(JsonNode task) {
        Scheme scheme = Schemes.named(task.path("transport").asText()).orElseThrow();
        part = Optional.of(new MeshPart(
                node.network(),
                scheme,
                new Cluster(task.path("nodes").asInt(), task.path("processes").asInt()),
                System::nanoTime));
        return MeshJson.line("begun");
    }

    private ObjectNode place(List<String> adapters) {
        ObjectNode line = MeshJson.line("placed");
        for (PlacedAdapter placed : all(adapters, placement::place)) {
            line.put(placed.name(), placed.node().hostPort());
        }
        return line;
    }

    private <T> List<T> all(List<String> adapters, Function<String, CompletionStage<T>> verb) {
        List<CompletableFuture<T>> stages = adapters.stream()
                .map(adapter -> verb.apply(adapter).toCompletableFuture())
                .toList();
        return stages.stream()
                .map(stage -> node.network().await(stage, LONGEST))
                .toList();
    }

    private MeshPart mesh() {
        return part.orElseThrow(() -> new IllegalStateException("no mesh has begun at this node"));
    }

    private ObjectNode create() {
        Map<String, MeshPart.EndAddress> addresses = mesh().create();
        ObjectNode line = MeshJson.line("created");
        MeshJson.put(line, addresses);
        mesh().peers().forEach(line.putArray("peers")::add);
        return line;
    }

    private ObjectNode measure() {
        MeshPart.Cost cost = mesh().measure();
        return MeshJson.line("measured")
                .put("adapters", cost.nodes())
                .put("queuePairs", cost.queuePairs())
                .put("heapBytes", cost.heapBytes())
                .put("nanos", cost.nanos());
    }

    private ObjectNode drain(List<String> adapters) {
        all(adapters, placement::drain);
        return MeshJson.line("drained");
    }
}
