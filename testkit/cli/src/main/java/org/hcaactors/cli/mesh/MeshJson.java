// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.mesh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.hcaactors.api.address.Gid;
import org.hcaactors.judge.scale.MeshPart;

/** Lines between the command and the JVMs that it starts. Both are of one build. */
final class MeshJson {
    /** Name of the task or event of a line. */
    static final String KIND = "event";

    private MeshJson() {}

    static ObjectNode line(String kind) {
        return JsonNodeFactory.instance.objectNode().put(KIND, kind);
    }

    static void put(ObjectNode line, Map<String, MeshPart.EndAddress> addresses) {
        ObjectNode all = line.putObject("addresses");
        addresses.forEach((name, address) -> all.putArray(name)
                .add(address.gid().high())
                .add(address.gid().low())
                .add(address.number()));
    }

    static Map<String, MeshPart.EndAddress> addresses(JsonNode line) {
        Map<String, MeshPart.EndAddress> all = new TreeMap<>();
        line.path("addresses")
                .properties()
                .forEach(each -> all.put(
                        each.getKey(),
                        new MeshPart.EndAddress(
                                new Gid(
                                        each.getValue().path(0).asLong(),
                                        each.getValue().path(1).asLong()),
                                each.getValue().path(2).asInt())));
        return all;
    }

    static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
