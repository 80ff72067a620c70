// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wireshark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.flow.PacketCapture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that the Wireshark script and our decoder read our formats equally. A file for each capture has tshark's output; if
 * tshark is installed, it must still print the same, and {@code -Dtshark.write=true} writes these files, and the run, again.
 */
@Tag("judge")
class WiresharkScriptTest {
    private static final Path OURS = Path.of("src/test/resources/wireshark");
    private static final Path MADE = Path.of("../../fabric/packet/src/test/resources/made");

    /** The testkit's own run, and frames built without our codec. */
    enum Captured {
        RUN(OURS.resolve("own-forms.pcapng")),
        MADE_DC(MADE.resolve("dc.pcap")),
        MADE_XRC(MADE.resolve("xrc.pcap"));

        final Path file;

        Captured(Path file) {
            this.file = file;
        }

        Path printed() {
            String name = file.getFileName().toString();
            return OURS.resolve(name.substring(0, name.indexOf('.')) + ".script.tsv");
        }

        List<CapturedFrame> frames() throws IOException {
            List<CapturedFrame> frames = new ArrayList<>();
            try (CaptureReader reader = CaptureReader.open(file)) {
                for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                    frames.add(next.get());
                }
            }
            return frames;
        }
    }

    @TempDir
    Path folder;

    private static Packet packet(CapturedFrame frame) {
        return ((Decoded.Frame) FrameDecoder.decode(frame.bytes().toArray(), LinkLayer.ETHERNET))
                .frame()
                .packet();
    }

    // rules wire-dc-class, wire-dc-header, wire-dc-connect, wire-dc-cnak, wire-dc-masked, wire-masked-atomic,
    // wire-xrc-masked
    @ParameterizedTest
    @EnumSource
    void theScriptAgreesWithOurDecoder(Captured captured) throws IOException {
        List<String> expected = new ArrayList<>();
        for (CapturedFrame frame : captured.frames()) {
            expected.add(ScriptColumns.line(packet(frame)));
        }
        assertThat(Files.readAllLines(captured.printed()).stream().map(ScriptColumns::inOneSpelling))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void theRecordedRunHasEveryFormatOfOurOwn() throws IOException {
        Set<Operation> overDc = Captured.RUN.frames().stream()
                .map(frame -> packet(frame))
                .filter(packet -> packet.opcode().transport() == TransportClass.DC)
                .map(Packet::operation)
                .collect(Collectors.toSet());
        assertThat(overDc)
                .contains(
                        Operation.CONNECT,
                        Operation.DISCONNECT,
                        Operation.ACKNOWLEDGE,
                        Operation.SEND_MIDDLE,
                        Operation.WRITE_FIRST,
                        Operation.READ_RESPONSE_LAST,
                        Operation.FETCH_ADD,
                        Operation.ATOMIC_ACKNOWLEDGE,
                        Operation.MASKED_COMPARE_SWAP,
                        Operation.MASKED_FETCH_ADD);
        assertThat(Captured.RUN.frames())
                .filteredOn(frame -> packet(frame).operation().isMasked())
                .extracting(frame -> packet(frame).opcode().transport())
                .contains(TransportClass.RC, TransportClass.XRC, TransportClass.DC);
    }

    /** The capture's comments and the script were written independently. */
    @Test
    void theScriptMarksOurOwnFormatsAsTheCaptureDoes() throws IOException {
        List<CapturedFrame> frames = Captured.RUN.frames();
        List<String> printed = Files.readAllLines(Captured.RUN.printed());
        assertThat(printed).hasSameSizeAs(frames);
        for (int i = 0; i < frames.size(); i++) {
            String comment = frames.get(i).comments().stream()
                    .filter(text -> text.startsWith("this model's own"))
                    .findFirst()
                    .orElse("");
            assertThat(ScriptColumns.form(printed.get(i))).isEqualTo(comment);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theStoredOutputIsThatOfTshark(Captured captured) throws IOException, InterruptedException {
        Tshark.assumeInstalled();
        if (Boolean.getBoolean("tshark.write")) {
            if (captured == Captured.RUN) {
                record(captured.file);
            }
            Files.write(captured.printed(), Tshark.fields(captured.file, ScriptColumns.NAMES));
        }
        assertThat(Tshark.fields(captured.file, ScriptColumns.NAMES).stream().map(ScriptColumns::inOneSpelling))
                .containsExactlyElementsOf(Files.readAllLines(captured.printed()).stream()
                        .map(ScriptColumns::inOneSpelling)
                        .toList());
    }

    private static void record(Path file) throws IOException {
        Scenario scenario = Scenario.parse(Files.readString(OURS.resolve("own-forms.conf")), "own-forms.conf");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1);
                OutputStream out = Files.newOutputStream(file)) {
            PacketCapture.write(run.world().trace().events(), out);
        }
    }

    /** Truncated at every length, and with every byte after the UDP header inverted. */
    @ParameterizedTest
    @EnumSource(names = {"MADE_DC", "MADE_XRC"})
    void aDamagedPacketIsReportedWithoutAnErrorOfTheScript(Captured captured) throws IOException, InterruptedException {
        Tshark.assumeInstalled();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(Arrays.copyOf(Files.readAllBytes(captured.file), 24));
        int frames = 0;
        for (CapturedFrame frame : captured.frames()) {
            byte[] whole = frame.bytes().toArray();
            for (int length = 42; length < whole.length; length++) {
                frames += add(bytes, Arrays.copyOf(whole, length), whole.length);
            }
            for (int at = 42; at < Math.min(whole.length, 90); at++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) 0xFF;
                frames += add(bytes, flipped, whole.length);
            }
        }
        Path damaged = Files.write(folder.resolve("damaged.pcap"), bytes.toByteArray());
        List<String> told = Tshark.fields(damaged, List.of("frame.number", "hca.problem", "_ws.lua.error"));
        assertThat(told).hasSize(frames).noneMatch(line -> line.contains("Error"));
        assertThat(told)
                .filteredOn(line -> line.split("\t", -1)[1].contains("not captured"))
                .hasSizeGreaterThan(50);
        assertThat(told)
                .filteredOn(line -> line.split("\t", -1)[1].contains("does not fit"))
                .isNotEmpty();
        assertThat(Tshark.printed(damaged)).doesNotContain("Lua Error", "hca-actors.lua:");
    }

    private static int add(ByteArrayOutputStream file, byte[] frame, int wholeBytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(0).putInt(0).putInt(frame.length).putInt(wholeBytes);
        file.write(head.array());
        file.write(frame);
        return 1;
    }
}
