// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A recorded run of which something is missing, wrong or newer is refused by text and field, or told as far as it goes. */
@Tag("judge")
class DamagedRunsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Path MISHAPS = Path.of("src/test/resources/recorded/mishaps-2.rlog");

    /** Of the recorded run what has a field that no text before it has, and what brought that about or came of it. */
    private static List<ObjectNode> shortRun() throws IOException {
        List<ObjectNode> texts = new ArrayList<>();
        for (String text : Files.readString(MISHAPS).substring(1).split("\u001e")) {
            texts.add((ObjectNode) JSON.readTree(text));
        }
        Set<Integer> kept = places(texts).stream().map(Place::text).collect(Collectors.toSet());
        addEffects(texts, kept);
        addCauses(texts, kept);
        List<ObjectNode> few = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            if (kept.contains(i)) {
                few.add(texts.get(i));
            }
        }
        ((ObjectNode) few.getLast().get("trailer")).put("events", few.size() - 2);
        return few;
    }

    private static void addEffects(List<ObjectNode> texts, Set<Integer> kept) {
        Set<Long> ids = kept.stream().map(i -> texts.get(i).path("id").asLong()).collect(Collectors.toSet());
        for (int i = 0; i < texts.size(); i++) {
            if (causes(texts.get(i)).anyMatch(ids::contains)) {
                kept.add(i);
            }
        }
    }

    /** Also those of causes, which stand before their effects. */
    private static void addCauses(List<ObjectNode> texts, Set<Integer> kept) {
        Set<Long> requested = new HashSet<>();
        for (int i = texts.size() - 1; i >= 0; i--) {
            if (requested.contains(texts.get(i).path("id").asLong())) {
                kept.add(i);
            }
            if (kept.contains(i)) {
                causes(texts.get(i)).forEach(requested::add);
            }
        }
    }

    private static Stream<Long> causes(ObjectNode text) {
        return text.path("causes").valueStream().map(JsonNode::asLong).filter(cause -> cause != 0);
    }

    private static Rlog read(List<String> texts) throws IOException {
        String file = texts.stream().map(text -> "\u001e" + text + "\n").collect(Collectors.joining());
        return RlogReader.read(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
    }

    private static Rlog read(String events) throws IOException {
        String file = "${\"rlog\":\"urn:hca-actors:rlog:2\",\"seed\":1}\n" + events;
        return RlogReader.read(
                new ByteArrayInputStream(file.replace('$', '\u001e').getBytes(StandardCharsets.UTF_8)));
    }

    private static void refuses(String events, String reason) {
        assertThatThrownBy(() -> read(events))
                .isInstanceOf(RlogFormatException.class)
                .hasMessage(reason);
    }

    private static String woken(long id, long nanos, String causes) {
        return "${\"id\":%d,\"nanos\":%d,\"causes\":[%s],\"type\":\"cq:woken\",\"port\":\"a\",\"data\":{\"element\":\"cq3\"}}%n"
                .formatted(id, nanos, causes);
    }

    private static String event(String type, String data) {
        return "${\"id\":1,\"nanos\":0,\"causes\":[],\"type\":\"%s\",\"port\":\"a\",\"data\":%s}%n"
                .formatted(type, data);
    }

    /** Places of values in a tree, as one event of each type and shape has them. */
    private record Place(int text, List<String> path) {
        JsonNode owner(List<ObjectNode> texts) {
            JsonNode owner = texts.get(text);
            for (String step : path.subList(0, path.size() - 1)) {
                owner = owner.isArray() ? owner.get(Integer.parseInt(step)) : owner.get(step);
            }
            return owner;
        }

        String last() {
            return path.get(path.size() - 1);
        }
    }

    private static List<Place> places(List<ObjectNode> texts) {
        Set<String> seen = new HashSet<>();
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String type = texts.get(i).path("type").asText();
            int text = i;
            walk(texts.get(i), List.of(), path -> {
                if (seen.add(type + path)) {
                    places.add(new Place(text, path));
                }
            });
        }
        return places;
    }

    private static void walk(JsonNode node, List<String> path, Consumer<List<String>> found) {
        Stream<String> names = node.isArray()
                ? Stream.iterate(0, i -> i < node.size(), i -> i + 1).map(String::valueOf)
                : node.properties().stream().map(Map.Entry::getKey);
        names.forEach(name -> {
            List<String> each = Stream.concat(path.stream(), Stream.of(name)).toList();
            found.accept(each);
            walk(node.isArray() ? node.get(Integer.parseInt(name)) : node.get(name), each, found);
        });
    }

    /** A run before it is damaged, in texts and in events. */
    private record Whole(List<String> texts, List<TraceEvent> events) {
        static Whole of(List<ObjectNode> nodes) throws IOException {
            List<String> texts = nodes.stream().map(ObjectNode::toString).toList();
            return new Whole(texts, read(texts).events());
        }

        /**
         * What is read when the text at this place is another one. What an event says of itself is read as if it stood alone: to read all others
         * again each time takes long, and changes nothing.
         */
        List<TraceEvent> with(Place place, String damaged) throws IOException {
            if (isEvent(place)) {
                List<TraceEvent> alone =
                        read(List.of(texts.getFirst(), damaged)).events();
                if (place.path().getFirst().equals("data")) {
                    return replaced(place.text() - 1, alone);
                }
            }
            List<String> all = new ArrayList<>(texts);
            all.set(place.text(), damaged);
            return read(all).events();
        }

        private boolean isEvent(Place place) {
            return place.text() > 0 && place.text() < texts.size() - 1;
        }

        /** @param by nothing where the event was skipped */
        private List<TraceEvent> replaced(int at, List<TraceEvent> by) {
            List<TraceEvent> all = new ArrayList<>(events);
            all.remove(at);
            all.addAll(at, by);
            return all;
        }
    }

    /** Whatever is read can be told; whether it was refused. */
    private static boolean isRefused(Whole run, Place place, String damaged, String damage) {
        try {
            tell(run.with(place, damaged), damage);
            return false;
        } catch (RlogFormatException refused) {
            assertThat(refused.getMessage())
                    .as(damage)
                    .matches("JSON text \\d+: .*")
                    .hasSizeLessThan(400);
            return true;
        } catch (IOException | RuntimeException other) {
            throw new AssertionError(damage, other);
        }
    }

    private static void tell(List<TraceEvent> events, String damage) {
        Ladder.detailed(events);
        Mermaid.of(events);
        Explainer explainer = Explainer.of(events);
        assertThat(explainer.failures())
                .as(damage)
                .allSatisfy(one -> assertThat(one.toString()).isNotEmpty());
        assertThat(explainer.waiting())
                .as(damage)
                .allSatisfy(one -> assertThat(one.toString()).isNotEmpty());
    }

    /** The next field gets the next two: so many fields are there that each kind gets each. */
    private static final List<String> WRONG = List.of("{}", "[]", "true", "-1", "1.5", "\"x\"", "\"\"", "1e400", "7");

    /** What people read: a reader takes it from the frame, or does without. */
    private static final Pattern FOR_PEOPLE = Pattern.compile(
            "title|clock|faults|.*\\.packet\\.(opcode|destQp|psn|summary)|.*\\.(reason|last)\\.(kind|words)");

    /** Each field of each type of event in turn: gone, null, and of other types. */
    @Test
    void aFieldOfAWrongTypeIsRefusedOrReported() throws IOException {
        List<ObjectNode> texts = shortRun();
        Whole run = Whole.of(texts);
        int at = 0;
        for (Place place : places(texts)) {
            JsonNode owner = place.owner(texts);
            JsonNode before = owner.isArray() ? owner.get(Integer.parseInt(place.last())) : owner.get(place.last());
            for (String wrong : List.of("null", WRONG.get(at++ % WRONG.size()), WRONG.get(at++ % WRONG.size()))) {
                put(owner, place.last(), JSON.readTree(wrong));
                isRefused(run, place, texts.get(place.text()).toString(), place + " is " + wrong);
            }
            put(owner, place.last(), before);
            if (owner instanceof ObjectNode fields) {
                fields.remove(place.last());
                String damage = place + " is missing";
                assertThat(isRefused(run, place, texts.get(place.text()).toString(), damage))
                        .as(damage)
                        .isNotEqualTo(FOR_PEOPLE
                                .matcher(String.join(".", place.path()))
                                .matches());
                fields.set(place.last(), before);
            }
        }
    }

    private static void put(JsonNode owner, String name, JsonNode value) {
        if (owner instanceof ArrayNode list) {
            list.set(Integer.parseInt(name), value);
        } else {
            ((ObjectNode) owner).set(name, value);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "qp:completed | {\"element\":\"cq1\"} | data.completion is missing",
                "qp:completed | {\"element\":\"cq1\",\"completion\":7} | data.completion is 7; it must be an object",
                "cq:woken | {} | data.element is missing",
                "cq:woken | 7 | data is 7; it must be an object",
                "cq:woken | {\"element\":3} | data.element is 3; it must be a string",
                "cq:woken | {\"element\":\"qp\"} | data.element is \"qp\": it must name a part of an adapter, such as qp17, cq3, srq2 or key 0x00000200",
                "cq:entries_taken | {\"element\":\"cq1\"} | data.entries is missing",
                "cq:entries_taken | {\"element\":\"cq1\",\"entries\":\"many\"} | data.entries is \"many\"; it must be an integer of 32 bits",
                "cq:entries_taken | {\"element\":\"cq1\",\"entries\":1.5} | data.entries is 1.5; it must be an integer of 32 bits",
                "qp:work_posted | {\"element\":\"qp1\",\"work\":{},\"signaled\":true} | data.work is {}: the object has no type",
                "qp:state_changed | {\"element\":\"qp1\",\"from\":3,\"to\":\"RTS\",\"reason\":{\"kind\":\"state_reason:modified\"}} | data.from is 3; it must be a string",
                "qp:failed | {\"element\":\"qp1\",\"reason\":{\"kind\":\"bad_request:atomic_length\",\"lengthBytes\":\"x\"}} | data.reason.lengthBytes is \"x\"; it must be an integer of 64 bits",
                "qp:failed | {\"element\":\"qp1\",\"reason\":\"timeout\"} | data.reason is \"timeout\"; it must be an object",
                "qp:gave_up | {\"element\":\"qp1\",\"psn\":1,\"reason\":{\"kind\":\"retries_exhausted:retries\",\"last\":\"timeout\",\"retryCount\":1}} | data.reason.last is \"timeout\"; it must be an object",
                "qp:failed | {\"element\":\"qp1\",\"reason\":{\"kind\":\"key_denied\",\"name\":\"L_KEY\",\"key\":1,\"reason\":{\"denial\":\"ForeignDomain\",\"domain\":{},\"needed\":1}}} | data.reason.reason.domain is {}; it must be an integer of 32 bits",
                "testkit:struck | {\"element\":\"qp1\",\"what\":5} | data.what is 5; it must be a string",
                "fabric:dropped | {\"packet\":{},\"type\":\"\"} | data.packet is {}: a packet must have a frame, its bytes in hexadecimal",
            })
    void aFieldThatIsMissingOrOfAnotherTypeIsNamed(String type, String data, String reason) {
        refuses(event(type, data), "JSON text 2: " + reason);
    }

    @Test
    void aWrongCommonFieldIsNamed() {
        refuses("${\"id\":1}\n", "JSON text 2: type is missing");
        refuses("${\"type\":\"cq:woken\",\"causes\":[]}\n", "JSON text 2: id is missing");
        refuses(
                "${\"type\":\"dc:new\",\"causes\":[],\"id\":\"one\"}\n",
                "JSON text 2: id is \"one\"; it must be an integer");
        refuses("${\"type\":\"cq:woken\",\"causes\":7,\"id\":1}\n", "JSON text 2: causes is 7; it must be a list");
        refuses(
                "${\"type\":\"cq:woken\",\"causes\":[],\"id\":1,\"nanos\":-5}\n",
                "JSON text 2: nanos is -5; it must not be negative");
        refuses(
                "${\"type\":\"cq:woken\",\"causes\":[],\"id\":1,\"nanos\":5,\"data\":{\"port\":\"b\"}}\n",
                "JSON text 2: port is missing");
        refuses("$[]\n", "JSON text 2: it is []; each JSON text must be an object");
        refuses("${\"trailer\":7}\n", "JSON text 2: trailer is 7; it must be an object");
    }

    @Test
    void idsCausesAndVirtualTimeMustIncrease() {
        refuses(woken(1, 0, "") + woken(1, 0, ""), "JSON text 3: id 1 occurs twice; ids must be unique");
        refuses(
                woken(2, 0, "") + woken(1, 0, ""),
                "JSON text 3: id 1 follows id 2; in a run with a seed the ids must increase");
        refuses(
                woken(1, 5, "") + woken(2, 4, ""),
                "JSON text 3: nanos decrease from 5 to 4; in a run with a seed they must not decrease");
        refuses(
                woken(1, 0, "1"),
                "JSON text 2: causes of event 1 contain 1; the id of an earlier event is allowed, or 0 for an unknown cause");
        refuses(
                woken(1, 0, "0,7"),
                "JSON text 2: causes of event 1 contain 7; the id of an earlier event is allowed, or 0 for an unknown cause");
        refuses(woken(0, 0, ""), "JSON text 2: id is 0; at least 1 is allowed");
    }

    /** Threads take a number and write it down in their own time. */
    @Test
    void onARealClockEventsMayBeOutOfOrderButNotDuplicated() throws IOException {
        String begin = "${\"rlog\":\"urn:hca-actors:rlog:2\"}\n" + woken(2, 7, "") + woken(1, 6, "");
        byte[] bytes = begin.replace('$', '\u001e').getBytes(StandardCharsets.UTF_8);
        assertThat(RlogReader.read(new ByteArrayInputStream(bytes)).events()).hasSize(2);
        byte[] twice = (begin + woken(2, 8, "")).replace('$', '\u001e').getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> RlogReader.read(new ByteArrayInputStream(twice)))
                .hasMessage("JSON text 4: id 2 occurs twice; ids must be unique");
    }

    @Test
    void aTrailerCountsTheTextsAndIsTheLast() {
        refuses(
                woken(1, 0, "") + "${\"trailer\":{\"events\":2,\"forgotten\":0}}\n",
                "JSON text 3: trailer.events is 2, but there are 1 JSON texts between header and trailer");
        refuses(
                "${\"trailer\":{\"events\":0,\"forgotten\":0}}\n" + woken(1, 0, ""),
                "JSON text 3: it follows the trailer, which must be the last JSON text");
        refuses("${\"trailer\":{\"events\":0}}\n", "JSON text 2: trailer.forgotten is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "qp:work_posted | {\"element\":\"qp1\",\"work\":{\"verb\":\"FlushMemory\",\"id\":3},\"signaled\":true}",
                "qp:created | {\"element\":\"qp1\",\"transport\":\"DCT\",\"domain\":1,\"sendCq\":1,\"recvCq\":1,\"srq\":null}",
                "qp:state_changed | {\"element\":\"qp1\",\"from\":\"RESET\",\"to\":\"SUSPENDED\",\"reason\":{\"kind\":\"state_reason:modified\"}}",
                "qp:modified | {\"element\":\"qp1\",\"change\":{\"target\":\"RTS\",\"attributes\":[{\"attribute\":\"RateLimit\"}]}}",
                "memory:registered | {\"element\":\"key 0x00000200\",\"kind\":\"A_LATER_ONE\",\"parents\":[],\"process\":\"p\",\"domain\":1,\"address\":1,\"lengthBytes\":1,\"rights\":{\"bits\":0},\"shift\":0}",
                "memory:registered | {\"element\":\"key 0x00000200\",\"kind\":\"MEMORY_REGION\",\"parents\":[],\"process\":\"p\",\"domain\":1,\"address\":1,\"lengthBytes\":1,\"rights\":{\"bits\":1073741824},\"shift\":0}",
                "device:event_raised | {\"event\":{\"kind\":\"PATH_MIG\",\"element\":1},\"reason\":{\"kind\":\"state_reason:modified\"}}",
                "cq:woken | {\"element\":\"dct5\"}",
                "cq:woken | {\"element\":\"window 0x00000200\"}",
            })
    void anEventWithAPartOfALaterVersionIsSkippedAndCounted(String type, String data) throws IOException {
        Rlog run = read(event(type, data) + woken(2, 0, "1") + "${\"trailer\":{\"events\":2,\"forgotten\":0}}\n");
        assertThat(run.unknown()).isEqualTo(1);
        assertThat(run.events()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 5_000, 100_000})
    void deepNestingIsRefused(int levels) {
        assertThatThrownBy(
                        () -> read(event("cq:woken", "{\"element\":" + "[".repeat(levels) + "]".repeat(levels) + "}")))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("JSON text 2: it exceeds the limits")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aTextHasOneValueWithoutDuplicateFields() {
        assertThatThrownBy(() -> read("${} {}\n"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("JSON text 2: Trailing token");
        refuses("${\"id\":1,\"id\":2}\n", "JSON text 2: Duplicate field 'id'");
    }
}
