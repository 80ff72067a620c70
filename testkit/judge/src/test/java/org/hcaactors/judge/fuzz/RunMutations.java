// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.rlog.RlogWriter;

/** Parts of recorded runs with mutated fields: values that the same field has elsewhere, or the limits of its type. */
final class RunMutations {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final Path MISHAPS = Path.of("../views/src/test/resources/recorded/mishaps-2.rlog");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_TEXTS = 120;
    private static final int MAX_CHANGES = 4;
    private static final int MAX_VALUES = 64;
    private static final List<String> ODD_TEXTS =
            List.of("", "x", "qp0", "qp16777215", "cq1", "key 0x00000200", "port", "null", "{0}", "<b>", "%s", "a b");

    /** A replaceable value, and its owner. */
    private record Place(JsonNode owner, String name) {
        JsonNode value() {
            return owner.isArray() ? owner.get(Integer.parseInt(name)) : owner.get(name);
        }

        void put(JsonNode value) {
            if (owner instanceof ArrayNode list) {
                list.set(Integer.parseInt(name), value);
            } else {
                ((ObjectNode) owner).set(name, value);
            }
        }
    }

    private final List<List<ObjectNode>> runs = new ArrayList<>();
    /** All values of each field. */
    private final Map<String, List<JsonNode>> values = new TreeMap<>();

    private final List<String> types = new ArrayList<>();

    private RunMutations() {}

    /**
     * Records runs.
     *
     * @param step one of the guide's scenarios in that many is recorded
     */
    static RunMutations of(int step) throws IOException {
        RunMutations made = new RunMutations();
        made.take(Files.readString(MISHAPS));
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            List<Path> sorted = files.sorted().toList();
            for (int i = step - 1; i < sorted.size(); i += step) {
                made.take(recorded(sorted.get(i)));
            }
        }
        made.runs.forEach(run -> run.forEach(text -> made.note("", text)));
        made.types.addAll(new TreeSet<>(Objects.requireNonNull(made.values.get("type")).stream()
                .map(JsonNode::textValue)
                .toList()));
        return made;
    }

    private static String recorded(Path scenario) throws IOException {
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(Files.readString(scenario), scenario.toString()), 1)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            RlogWriter.write(
                    WorldPictures.header("fuzzed", run.world()),
                    run.world().trace().events(),
                    0,
                    out);
            return out.toString(StandardCharsets.UTF_8);
        }
    }

    private void take(String file) throws IOException {
        List<ObjectNode> texts = new ArrayList<>();
        for (String text : file.substring(1).split("\u001e")) {
            ObjectNode node = (ObjectNode) JSON.readTree(text);
            if (node.has("type")) {
                texts.add(node);
            }
        }
        runs.add(texts);
    }

    private void note(String name, JsonNode node) {
        if (node.isObject()) {
            node.properties().forEach(field -> note(field.getKey(), field.getValue()));
        } else if (node.isArray()) {
            node.forEach(each -> note(name, each));
        }
        List<JsonNode> known = values.computeIfAbsent(name, any -> new ArrayList<>());
        if (known.size() < MAX_VALUES && !known.contains(node)) {
            known.add(node);
        }
    }

    /** Returns a header, events, and a trailer with their number. */
    List<ObjectNode> draw(SplittableRandom random) {
        List<ObjectNode> run = Fuzzing.one(runs, random);
        int from = random.nextInt(Math.max(1, run.size() - MAX_TEXTS / 4));
        int to = Math.min(run.size(), from + 1 + random.nextInt(MAX_TEXTS));
        List<ObjectNode> events = new ArrayList<>();
        run.subList(from, to).forEach(text -> events.add(text.deepCopy()));
        for (int i = 0; i <= random.nextInt(MAX_CHANGES); i++) {
            change(events, random);
        }
        List<ObjectNode> all = new ArrayList<>();
        ObjectNode header = JSON.createObjectNode().put("rlog", "urn:hca-actors:rlog:2");
        all.add(random.nextInt(3) == 0 ? header : header.put("seed", 1));
        all.addAll(events);
        ObjectNode trailer = JSON.createObjectNode();
        trailer.putObject("trailer").put("events", events.size()).put("forgotten", 0);
        all.add(trailer);
        return all;
    }

    private void change(List<ObjectNode> events, SplittableRandom random) {
        ObjectNode event = Fuzzing.one(events, random);
        switch (random.nextInt(16)) {
            case 0 -> events.remove(event);
            case 1 -> event.put("type", Fuzzing.one(types, random));
            case 2, 3, 4, 5 -> cause(event, events, random);
            case 6 -> {
                ObjectNode other = Fuzzing.one(events, random);
                JsonNode data = event.path("data");
                event.set("data", other.path("data"));
                other.set("data", data);
            }
            case 7 -> {
                if (events.size() > 1) {
                    events.remove(event);
                    events.add(random.nextInt(events.size()), event);
                }
            }
            default -> field(event, random);
        }
        if (events.isEmpty()) {
            events.add(event);
        }
    }

    private static void cause(ObjectNode event, List<ObjectNode> events, SplittableRandom random) {
        ArrayNode causes = event.putArray("causes");
        for (int i = 0; i <= random.nextInt(2); i++) {
            causes.add(Fuzzing.one(events, random).path("id").asLong());
        }
    }

    private void field(ObjectNode event, SplittableRandom random) {
        List<Place> places = new ArrayList<>();
        walk(event, places);
        Place place = Fuzzing.one(places, random);
        place.put(other(place, random));
    }

    private static void walk(JsonNode node, List<Place> places) {
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                places.add(new Place(node, Integer.toString(i)));
                walk(node.get(i), places);
            }
        } else {
            node.properties().forEach(field -> {
                places.add(new Place(node, field.getKey()));
                walk(field.getValue(), places);
            });
        }
    }

    private JsonNode other(Place place, SplittableRandom random) {
        JsonNode before = place.value();
        List<JsonNode> known = values.getOrDefault(place.name(), List.of());
        if (!known.isEmpty() && random.nextInt(2) == 0) {
            return Fuzzing.one(known, random).deepCopy();
        }
        if (before.isNumber()) {
            String number = Fuzzing.one(Fuzzing.NUMBERS, random);
            return random.nextInt(4) == 0
                    ? JSON.getNodeFactory().textNode(number)
                    : JSON.getNodeFactory().numberNode(new java.math.BigInteger(number));
        }
        if (before.isBoolean()) {
            return JSON.getNodeFactory().booleanNode(!before.booleanValue());
        }
        if (before.isTextual()) {
            return JSON.getNodeFactory().textNode(text(before.textValue(), random));
        }
        return JSON.getNodeFactory().nullNode();
    }

    /** Changes a text; of a long one, such as a frame, only one digit. */
    private static String text(String before, SplittableRandom random) {
        if (before.length() < MAX_VALUES) {
            return Fuzzing.one(ODD_TEXTS, random);
        }
        StringBuilder changed = new StringBuilder(before);
        for (int i = 0; i <= random.nextInt(3); i++) {
            changed.setCharAt(random.nextInt(before.length()), "0123456789abcdef".charAt(random.nextInt(16)));
        }
        return random.nextInt(6) == 0
                ? changed.substring(0, 2 * random.nextInt(before.length() / 2))
                : changed.toString();
    }
}
