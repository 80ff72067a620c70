// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.IpHeader;
import org.hcaactors.views.flow.CmWording;
import org.hcaactors.views.flow.CutWording;
import org.hcaactors.views.flow.Wording;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "dissect",
        description = {
            "Decodes a pcap or pcapng of RoCEv2 and RoCEv1, one line per frame: time, interface, direction and content; the ICRC is checked.",
            "A datagram of communication management (queue pair 1) is shown as its message: REQ, REP, RTU, REJ, DREQ and others.",
            "It reads Ethernet, Linux cooked captures (tcpdump -i any), loopback and raw IP, and removes VLAN tags, GRE, ERSPAN, VXLAN"
                    + " and Geneve. For truncated frames it shows which parts are present and which are missing."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Dissect implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the capture")
    private Path file;

    @Option(names = "--json", description = "one JSON object a line")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        BadInputException.unlessReadable(file);
        int frames = 0;
        try (DecodedFrames reader = DecodedFrames.open(file)) {
            for (Optional<DecodedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                out.println(json ? asJson(next.get()) : asText(next.get()));
                frames++;
            }
        } catch (CaptureFormatException damaged) {
            if (frames == 0) {
                throw new BadInputException(file + ": " + damaged.getMessage());
            }
            spec.commandLine()
                    .getErr()
                    .println("hca: " + file + " is truncated after frame " + frames + ": " + damaged.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        } finally {
            out.flush();
        }
        return Hca.OK;
    }

    private static String asText(DecodedFrame seen) {
        String what = switch (seen.read().content()) {
            case Decoded.Frame(var frame) ->
                line(frame.packet().route(), frame.packet().bth(), words(frame.packet()))
                        + version(frame.ip())
                        + (frame.icrcOk() ? "" : "  BAD ICRC");
            case Decoded.Truncated(var cut) ->
                line(cut.route(), cut.bth(), CutWording.of(cut))
                        + version(cut.ip())
                        + "  truncated: lacks "
                        + cut.missing()
                        + "; ICRC not checked";
            case Decoded.NotRoce other -> other.wording();
            case Decoded.Malformed bad -> bad.wording();
        };
        return "%6d  %s  %s %s  %s%s%s"
                .formatted(
                        seen.number(),
                        seconds(seen.sinceFirst()),
                        seen.interfaceName(),
                        seen.direction().map(Dissect::word).orElse("-"),
                        what,
                        seen.read().wrappings().isEmpty()
                                ? ""
                                : "  " + seen.read().wrappings(),
                        seen.again().isPresent()
                                ? "  same packet as frame " + seen.again().getAsInt()
                                : "");
    }

    private static String words(Packet packet) {
        return CmWording.inFull(packet).orElseGet(() -> Wording.of(packet));
    }

    /** Timestamps of a file need not be in order. */
    private static String seconds(long nanos) {
        return "%s%d.%06d"
                .formatted(nanos < 0 ? "-" : "", Math.abs(nanos / 1_000_000_000), Math.abs(nanos / 1000 % 1_000_000));
    }

    private static String word(Direction direction) {
        return direction == Direction.INBOUND ? "in" : "out";
    }

    private static String version(IpHeader ip) {
        return ip instanceof IpHeader.Grh ? "  RoCEv1" : "";
    }

    private static String line(Route route, Bth bth, String what) {
        return "%s > %s  %s  %s %s%s"
                .formatted(
                        route.source(),
                        route.destination(),
                        Wording.queuePair(bth.destQp()),
                        bth.opcode().transport(),
                        what,
                        bth.ackReq() ? " ackreq" : "");
    }

    private static ObjectNode asJson(DecodedFrame seen) {
        ObjectNode json = switch (seen.read().content()) {
            case Decoded.Frame(var frame) -> PacketJson.of(seen.number(), frame);
            case Decoded.Truncated(var cut) -> PacketJson.of(seen.number(), cut);
            case Decoded.NotRoce other -> problem(seen).put("notRoce", other.what());
            case Decoded.Malformed bad ->
                problem(seen).put("problem", bad.problem().name()).put("detail", bad.detail());
        };
        json.put("timeNanos", Long.toString(seen.frame().timestampNanos()))
                .put("sinceFirstNanos", seen.sinceFirst())
                .put("interface", seen.interfaceName());
        seen.direction().ifPresent(way -> json.put("direction", word(way)));
        if (!seen.read().wrappings().isEmpty()) {
            ArrayNode around = json.putArray("around");
            seen.read().wrappings().forEach(each -> around.add(each.toString()));
        }
        seen.again().ifPresent(frame -> json.put("sameAsFrame", frame));
        return json;
    }

    private static ObjectNode problem(DecodedFrame seen) {
        return JsonNodeFactory.instance.objectNode().put("frame", seen.number());
    }
}
