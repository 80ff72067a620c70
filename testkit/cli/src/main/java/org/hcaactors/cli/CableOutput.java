// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.device.CounterDescription;
import org.hcaactors.cli.between.BetweenCounter;
import org.hcaactors.cli.between.BetweenCounters;
import org.hcaactors.cli.between.HostSide;
import org.hcaactors.cli.gateway.ClientEvent;
import org.hcaactors.cli.gateway.Outcome;
import org.hcaactors.cli.gateway.QpAddress;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.lab.fault.PacketFaults;

/**
 * Output of a command with a cable, while it runs: lines for readers, or one JSON object a line with an {@code event}. Any
 * thread.
 */
final class CableOutput {
    private final PrintWriter out;
    private final boolean json;

    CableOutput(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    boolean isJson() {
        return json;
    }

    /** Returns an object, to which fields are added. */
    static ObjectNode event(String name) {
        return JsonNodeFactory.instance.objectNode().put("event", name);
    }

    /** Returns the object of a start with the fields of the cable. */
    static ObjectNode start(Station station) {
        ObjectNode object = event("start")
                .put("cable", station.cable().toString())
                .put("local", station.address().getHostAddress());
        ArrayNode peers = object.putArray("peers");
        station.cable().peers().stream().map(InetAddress::getHostAddress).forEach(peers::add);
        return object.put("pathMtuBytes", station.activeMtu().bytes());
    }

    /** Returns the address of a queue pair. */
    static ObjectNode address(QpAddress address) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("qpn", address.number())
                .put("psn", address.psn())
                .put("gid", address.gid().toString());
    }

    void tell(String line, ObjectNode object) {
        tell(List.of(line), object);
    }

    /** Prints the lines, if any, or the object. */
    synchronized void tell(List<String> lines, ObjectNode object) {
        if (json) {
            out.println(object);
        } else {
            lines.forEach(out::println);
        }
        out.flush();
    }

    void client(ClientEvent event) {
        tell(event.line(), object(event));
    }

    private static ObjectNode object(ClientEvent event) {
        return switch (event) {
            case ClientEvent.Begun(var number, var from) ->
                client("client_begun", number).put("from", from);
            case ClientEvent.Told(var number, var words) ->
                client("client_told", number).put("words", words);
            case ClientEvent.Ended(var number, var outcome) ->
                figures(client("client_ended", number).put("words", outcome.words()), outcome);
            case ClientEvent.Failed(var number, var reason) ->
                client("client_failed", number).put("reason", reason);
            case ClientEvent.Stopped(var number) -> client("client_stopped", number);
            case ClientEvent.Refused(var from, var reason) ->
                event("client_refused").put("from", from).put("reason", reason);
            case ClientEvent.NoFurther(var reason) ->
                event("no_further_clients").put("reason", reason);
        };
    }

    private static ObjectNode client(String event, long number) {
        return event(event).put("client", number);
    }

    /** Adds the figures of a result to an object. */
    static ObjectNode figures(ObjectNode object, Outcome outcome) {
        outcome.figures().forEach((name, figure) -> {
            if (figure instanceof Double decimal) {
                object.put(name, decimal);
            } else {
                object.put(name, figure.longValue());
            }
        });
        return object;
    }

    /** Tells how many packets a fault struck. */
    void fault(PacketFaults.Struck struck) {
        tell(
                "fault      " + struck.words() + ": " + struck.times() + " times",
                event("fault").put("fault", struck.words()).put("packets", struck.times()));
    }

    /** Tells that a capture is not complete. */
    void lost(long events) {
        tell(
                "capture    events lost, as the file was too slow: " + events,
                event("capture_lost").put("events", events));
    }

    /**
     * Tells the counters of the cable and, if all are wanted, those of the adapter above 0.
     *
     * @param all false to leave out of the lines those of the cable that are 0
     */
    void counters(Station station, boolean all) {
        Map<String, Long> cable = station.cableCounters();
        if (json) {
            ObjectNode object = event("counters");
            ObjectNode values = object.putObject("cable");
            cable.forEach(values::put);
            if (all) {
                ObjectNode adapter = object.putObject("adapter");
                station.adapter().counters().forEach(adapter::put);
            }
            tell(List.of(), object);
            return;
        }
        for (CableCounter counter : CableCounter.values()) {
            line(counter.text(), cable.getOrDefault(counter.text(), 0L), counter.meaning(), all);
        }
        if (all) {
            Map<String, Long> adapter = station.adapter().counters();
            for (CounterDescription counter : station.adapter().counterDescriptions()) {
                line(counter.name(), adapter.getOrDefault(counter.name(), 0L), counter.description(), false);
            }
        }
        out.flush();
    }

    /** Tells the counters of both hosts; without {@code all}, the lines leave out those that are 0. */
    void counters(BetweenCounters counters, boolean all) {
        if (json) {
            ObjectNode object = event("counters");
            ObjectNode values = object.putObject("between");
            counters.byName().forEach(values::put);
            tell(List.of(), object);
            return;
        }
        for (HostSide side : HostSide.values()) {
            for (BetweenCounter counter : BetweenCounter.values()) {
                line(side + "_" + counter.text(), counters.of(side, counter), counter.meaning(), all);
            }
        }
        out.flush();
    }

    private void line(String name, long value, String meaning, boolean always) {
        if (always || value > 0) {
            out.printf("%-26s %12d  %s%n", name, value, meaning);
        }
    }
}
