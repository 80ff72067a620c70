// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.fabric.wire.RoceFrame;
import org.hcaactors.views.flow.Wording;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "dissect",
        description = "Decodes a pcap or pcapng of RoCEv2, one line per packet, ICRC checked.",
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
        try (CaptureReader reader = CaptureReader.open(file)) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                out.println(json ? asJson(next.get()) : asText(next.get()));
                frames++;
            }
        } catch (CaptureFormatException damaged) {
            if (frames == 0) {
                throw new BadInputException(file + ": " + damaged.getMessage());
            }
            spec.commandLine()
                    .getErr()
                    .println("hca: " + file + " breaks off after frame " + frames + ": " + damaged.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        } finally {
            out.flush();
        }
        return Hca.OK;
    }

    private static Decoded decode(CapturedFrame frame) {
        return LinkLayer.of(frame.linkType())
                .map(layer -> FrameDecoder.decode(frame.bytes().toArray(), layer))
                .orElseGet(() -> new Decoded.NotRoce("link type " + frame.linkType()));
    }

    private static String asText(CapturedFrame frame) {
        return switch (decode(frame)) {
            case Decoded.Frame decoded -> asText(frame, decoded.frame());
            case Decoded.NotRoce other -> "%6d  not RoCEv2: %s".formatted(frame.number(), other.what());
            case Decoded.Malformed bad ->
                "%6d  malformed, %s: %s".formatted(frame.number(), bad.problem(), bad.detail());
        };
    }

    private static String asText(CapturedFrame frame, RoceFrame decoded) {
        Packet packet = decoded.packet();
        return "%6d  %s > %s  qp 0x%06x  %s %s%s%s"
                .formatted(
                        frame.number(),
                        packet.route().source(),
                        packet.route().destination(),
                        packet.bth().destQp(),
                        packet.opcode().transport(),
                        Wording.of(packet),
                        packet.bth().ackReq() ? " ackreq" : "",
                        decoded.icrcOk() ? "" : "  BAD ICRC");
    }

    private static ObjectNode asJson(CapturedFrame frame) {
        return switch (decode(frame)) {
            case Decoded.Frame decoded -> PacketJson.of(frame.number(), decoded.frame());
            case Decoded.NotRoce other -> problem(frame).put("notRoce", other.what());
            case Decoded.Malformed bad ->
                problem(frame).put("problem", bad.problem().name()).put("detail", bad.detail());
        };
    }

    private static ObjectNode problem(CapturedFrame frame) {
        return JsonNodeFactory.instance.objectNode().put("frame", frame.number());
    }
}
