// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * A failed test, which is the head of its report.
 *
 * @param name name of the test: {@code StoreSurvivesTest.aLostAcknowledgement}
 * @param assertion message of the failure
 * @param line line of the test: {@code StoreSurvivesTest(StoreSurvivesTest.java:33), seed 0}
 * @param replay command that repeats the run
 * @param facts further facts, most important first
 * @param files names of the files next to the report
 */
public record FailedTest(
        String name, String assertion, String line, String replay, List<Fact> facts, List<String> files) {
    /** Maximum facts, and maximum files, in a report. */
    static final int MAX = 60;

    /** A fact with its name: {@code minimal}, and {@code 1 fault of 3 ...}. */
    public record Fact(String name, String text) {}

    public FailedTest {
        facts = List.copyOf(facts);
        files = List.copyOf(files);
    }

    /** @param scenes data of its runs, by name */
    ObjectNode toJson(Map<String, ? extends JsonNode> scenes) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("name", StringTable.plain(name));
        all.put("assertion", StringTable.plain(assertion));
        all.put("line", StringTable.plain(line));
        all.put("replay", StringTable.plain(replay));
        ArrayNode json = all.putArray("facts");
        facts.stream()
                .limit(MAX)
                .forEach(fact ->
                        json.addArray().add(StringTable.plain(fact.name())).add(StringTable.plain(fact.text())));
        ArrayNode beside = all.putArray("files");
        files.stream().limit(MAX).forEach(file -> beside.add(StringTable.plain(file)));
        ArrayNode runs = all.putArray("runs");
        scenes.forEach((run, scene) -> runs.addArray()
                .add(StringTable.plain(run))
                .add(scene.at("/events/id").size()));
        return all;
    }
}
