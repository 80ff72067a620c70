// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.hcaactors.cli.gateway.ClientEvent;
import org.hcaactors.cli.node.ClusterNode;
import org.hcaactors.cli.node.LocalNodes;
import org.hcaactors.cli.node.NodeEvent;
import org.hcaactors.cli.node.PingResult;
import org.hcaactors.fabric.cluster.ClusterCounter;

/** Output of a node while it runs: lines for readers, or one JSON object a line with an {@code event}. Any thread. */
final class NodeOutput {
    private final CableOutput output;

    NodeOutput(PrintWriter out, boolean json) {
        output = new CableOutput(out, json);
    }

    void client(ClientEvent event) {
        output.client(event);
    }

    /** @param port of the adapter, where pings are served */
    void started(ClusterNode node, int port) {
        output.tell(
                List.of(
                        "node       " + node.address() + ", adapter "
                                + node.adapter().name() + " at "
                                + node.adapter().gid() + ", pings served at its port " + port,
                        "join with  hca node --join " + node.address()),
                CableOutput.event("start")
                        .put("node", node.address())
                        .put("adapter", node.adapter().name())
                        .put("gid", node.adapter().gid().toString())
                        .put("listen", port));
    }

    void happened(NodeEvent event) {
        output.tell(
                event.line(),
                switch (event) {
                    case NodeEvent.Member(var node, var state) ->
                        CableOutput.event("member").put("node", node).put("state", state);
                    case NodeEvent.AdapterFound(var adapter, var address) ->
                        CableOutput.event("adapter_found")
                                .put("adapter", adapter)
                                .put("address", address.toString());
                    case NodeEvent.AdapterGone(var adapter) ->
                        CableOutput.event("adapter_gone").put("adapter", adapter);
                });
    }

    void pinged(PingResult result) {
        output.tell(
                result.line(),
                CableOutput.event("pinged")
                        .put("adapter", result.to())
                        .put("pings", result.pings())
                        .put("bytes", result.bytes())
                        .put("seconds", result.nanos() / 1e9)
                        .put("microsPerPing", result.micros())
                        .put("gigabitsPerSecond", result.gigabitsPerSecond()));
    }

    void pingFailed(String adapter, String reason) {
        output.tell(
                "ping       " + adapter + " failed: " + reason,
                CableOutput.event("ping_failed").put("adapter", adapter).put("reason", reason));
    }

    /** Tells that the cluster has removed the node. */
    void removed() {
        output.tell("removed    the cluster has removed this node", CableOutput.event("removed"));
    }

    /** Tells the counters of packets between nodes; the lines leave out those that are 0. */
    void counters(Map<String, Long> values) {
        ObjectNode object = CableOutput.event("counters");
        ObjectNode cluster = object.putObject("cluster");
        values.forEach(cluster::put);
        output.tell(
                Stream.of(ClusterCounter.values())
                        .filter(each -> values.getOrDefault(each.text(), 0L) > 0)
                        .map(each -> "%-26s %12d  %s".formatted(each.text(), values.get(each.text()), each.meaning()))
                        .toList(),
                object);
    }

    /** Tells a line that the JSON output does not have. */
    void progress(String line) {
        if (!output.isJson()) {
            output.tell(line, CableOutput.event("progress"));
        }
    }

    /** Tells the results of several nodes: a table, or an object for each pair. */
    void table(List<LocalNodes.Pair> pairs) {
        List<String> lines = new ArrayList<>();
        lines.add("%n%-10s %-10s %8s %9s %11s %11s".formatted("from", "to", "pings", "bytes", "usec/ping", "Gbit/sec"));
        pairs.forEach(pair -> lines.add(line(pair)));
        if (!output.isJson()) {
            lines.forEach(line -> output.tell(line, CableOutput.event("line")));
            return;
        }
        pairs.forEach(pair -> output.tell(List.of(), ((ObjectNode) pair.event().deepCopy()).put("from", pair.from())));
    }

    private static String line(LocalNodes.Pair pair) {
        JsonNode event = pair.event();
        String to = event.path("adapter").asText();
        if (!pair.isGood()) {
            return "%-10s %-10s failed: %s"
                    .formatted(pair.from(), to, event.path("reason").asText());
        }
        return String.format(
                Locale.ROOT,
                "%-10s %-10s %8d %9d %11.1f %11.2f",
                pair.from(),
                to,
                event.path("pings").asLong(),
                event.path("bytes").asInt(),
                event.path("microsPerPing").asDouble(),
                event.path("gigabitsPerSecond").asDouble());
    }
}
