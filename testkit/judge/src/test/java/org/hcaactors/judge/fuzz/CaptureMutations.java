// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.flow.PacketCapture;

/** Parts of captures, of other stacks and of ours, with mutated frames, records or file structure. */
final class CaptureMutations {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final int MAX_FRAMES = 48;
    private static final int MAX_CHANGES = 4;
    private static final List<Integer> SNAPS = List.of(0, 1, 14, 34, 42, 54, 58, 60, 64, 70, 80, 96, 128, 1 << 20);
    private static final List<Integer> LINK_TYPES = List.of(0, 1, 12, 101, 108, 113, 228, 229, 276, 65535);
    private static final List<String> DESCRIPTIONS = List.of(
            "",
            "hca-actors profile ConnectX-5",
            "hca-actors profile Soft-RoCE",
            "hca-actors profile ConnectX-5 with queues.max-rd-atomic=1 queues.max-dest-rd-atomic=1",
            "hca-actors profile ConnectX-5 with queues.max-rd-atomic=0",
            "hca-actors profile ConnectX-5 with =",
            "hca-actors profile ConnectX-5 with ",
            "hca-actors profile x\u001b[2J\n");

    private static final List<String> COMMENTS = List.of(
            "event 1, because of 2",
            "",
            "forged: no port sent it",
            "forged: no port sent it\u0000",
            "dropped on the way");

    /** A frame as it is written to the file. */
    private record Record(byte[] bytes, int linkType, int port, int direction, long nanos, int original) {}

    private final List<List<byte[]>> captures = new ArrayList<>();

    private CaptureMutations() {}

    /**
     * Loads captures.
     *
     * @param step one capture in that many is taken
     */
    static CaptureMutations of(int step) throws IOException {
        CaptureMutations made = new CaptureMutations();
        try (Stream<Path> files = Files.list(CAPTURES)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".pcap"))
                    .sorted()
                    .toList();
            for (int i = 0; i < sorted.size(); i += step) {
                try (CaptureReader reader = CaptureReader.open(sorted.get(i))) {
                    made.take(reader);
                }
            }
        }
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            List<Path> sorted = files.sorted().toList();
            for (int i = step - 1; i < sorted.size(); i += 2 * step) {
                made.take(sorted.get(i));
            }
        }
        return made;
    }

    private void take(Path scenario) throws IOException {
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(Files.readString(scenario), scenario.toString()), 1)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PacketCapture.write(run.world().trace().events(), out);
            take(CaptureReader.open(new java.io.ByteArrayInputStream(out.toByteArray())));
        }
    }

    private void take(CaptureReader reader) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
            frames.add(next.get().bytes().toArray());
        }
        if (!frames.isEmpty()) {
            captures.add(frames);
        }
    }

    /** Returns a mutated file. */
    byte[] draw(SplittableRandom random) {
        List<byte[]> frames = frames(random);
        boolean classic = random.nextInt(2) == 0;
        List<Record> records = records(frames, classic, random);
        ByteOrder order = random.nextInt(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        byte[] file = classic ? pcap(records, order, random) : pcapng(records, order, random);
        for (int i = 0; random.nextInt(8) == 0 && i < MAX_CHANGES && file.length > 4; i++) {
            file = damaged(file, random);
        }
        return file;
    }

    private List<byte[]> frames(SplittableRandom random) {
        List<byte[]> all = Fuzzing.one(captures, random);
        int from = random.nextInt(3) == 0 ? random.nextInt(all.size()) : 0;
        List<byte[]> frames =
                new ArrayList<>(all.subList(from, Math.min(all.size(), from + 1 + random.nextInt(MAX_FRAMES))));
        int changes = random.nextInt(2 * MAX_CHANGES);
        for (int i = 0; i < changes && !frames.isEmpty(); i++) {
            int at = random.nextInt(frames.size());
            switch (random.nextInt(8)) {
                case 0 -> frames.remove(at);
                case 1 -> frames.add(random.nextInt(frames.size() + 1), frames.get(at));
                case 2 -> frames.add(random.nextInt(frames.size()), frames.remove(at));
                default -> {
                    byte[] changed = FrameMutations.changed(frames.get(at), random);
                    frames.set(at, random.nextInt(6) == 0 ? changed : FrameMutations.withRightChecks(changed));
                }
            }
        }
        return frames;
    }

    private static List<Record> records(List<byte[]> frames, boolean classic, SplittableRandom random) {
        Envelopes envelope = random.nextInt(2) == 0 ? Envelopes.NONE : Fuzzing.one(List.of(Envelopes.values()), random);
        boolean mixed = !classic && random.nextInt(4) == 0;
        int snap = random.nextInt(4) == 0 ? Fuzzing.one(SNAPS, random) : 1 << 20;
        int again = random.nextInt(4) == 0 ? 2 : 1;
        List<Record> records = new ArrayList<>();
        long nanos = 1_700_000_000_000_000_000L;
        for (byte[] frame : frames) {
            Envelopes around = mixed ? Fuzzing.one(List.of(Envelopes.values()), random) : envelope;
            byte[] whole = around.around(frame);
            if (random.nextInt(16) == 0 && whole.length > 0) {
                whole = whole.clone();
                whole[random.nextInt(Math.min(64, whole.length))] ^= (byte) (1 << random.nextInt(8));
            }
            nanos += random.nextInt(12) == 0
                    ? random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L)
                    : random.nextInt(100_000);
            for (int port = 0; port < again; port++) {
                byte[] cut = whole.length > snap ? Arrays.copyOf(whole, snap) : whole;
                int direction = again == 2 ? 2 - port : random.nextInt(8) == 0 ? random.nextInt(4) : 0;
                int original = random.nextInt(24) == 0 ? number(random) : whole.length;
                records.add(new Record(cut, around.linkType, port, direction, nanos + port, original));
            }
        }
        return records;
    }

    private static int number(SplittableRandom random) {
        return new java.math.BigInteger(Fuzzing.one(Fuzzing.NUMBERS, random)).intValue();
    }

    private static byte[] pcap(List<Record> records, ByteOrder order, SplittableRandom random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean fine = random.nextInt(2) == 0;
        int linkType = records.isEmpty() ? 1 : records.getFirst().linkType;
        ByteBuffer header = ByteBuffer.allocate(24).order(order);
        header.putInt(fine ? 0xA1B23C4D : 0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
        header.putInt(16, 1 << 18).putInt(20, random.nextInt(24) == 0 ? Fuzzing.one(LINK_TYPES, random) : linkType);
        out.writeBytes(header.array());
        for (Record each : records) {
            ByteBuffer record = ByteBuffer.allocate(16).order(order);
            record.putInt((int) (each.nanos / 1_000_000_000))
                    .putInt((int) (each.nanos % 1_000_000_000 / (fine ? 1 : 1000)))
                    .putInt(each.bytes.length)
                    .putInt(each.original);
            out.writeBytes(record.array());
            out.writeBytes(each.bytes);
        }
        return out.toByteArray();
    }

    private static byte[] pcapng(List<Record> records, ByteOrder order, SplittableRandom random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Integer> known = new ArrayList<>();
        section(out, order);
        for (Record each : records) {
            if (random.nextInt(40) == 0) {
                known.clear();
                section(out, order);
            }
            int key = each.linkType * 4 + each.port;
            if (!known.contains(key)) {
                known.add(key);
                describe(out, order, each, random);
            }
            if (random.nextInt(30) == 0) {
                block(out, order, 5 + random.nextInt(3) * 77, new byte[4 * random.nextInt(6)]);
            }
            if (random.nextInt(40) == 0) {
                ByteBuffer simple =
                        ByteBuffer.allocate(4 + padded(each.bytes.length)).order(order);
                block(
                        out,
                        order,
                        3,
                        simple.putInt(each.original).put(each.bytes).array());
            } else {
                packet(out, order, each, known.indexOf(key), random);
            }
        }
        return out.toByteArray();
    }

    private static void section(ByteArrayOutputStream out, ByteOrder order) {
        ByteBuffer body = ByteBuffer.allocate(16).order(order);
        block(
                out,
                order,
                0x0A0D0D0A,
                body.putInt(0x1A2B3C4D).putInt(1).putLong(-1).array());
    }

    private static void describe(ByteArrayOutputStream out, ByteOrder order, Record of, SplittableRandom random) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int linkType = random.nextInt(40) == 0 ? Fuzzing.one(LINK_TYPES, random) : of.linkType;
        body.writeBytes(
                ByteBuffer.allocate(8).order(order).putShort((short) linkType).array());
        option(body, order, 2, ("port" + of.port).getBytes(StandardCharsets.UTF_8), random);
        option(body, order, 3, Fuzzing.one(DESCRIPTIONS, random).getBytes(StandardCharsets.UTF_8), random);
        option(body, order, 9, new byte[] {(byte) (random.nextInt(6) == 0 ? random.nextInt(256) : 9)}, random);
        option(body, order, 0, new byte[0], random);
        block(out, order, 1, body.toByteArray());
    }

    private static void packet(
            ByteArrayOutputStream out, ByteOrder order, Record each, int port, SplittableRandom random) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ByteBuffer fields = ByteBuffer.allocate(20 + padded(each.bytes.length)).order(order);
        long ticks = random.nextInt(60) == 0 ? random.nextLong() : each.nanos;
        fields.putInt(random.nextInt(200) == 0 ? number(random) : port)
                .putInt((int) (ticks >>> 32))
                .putInt((int) ticks)
                .putInt(each.bytes.length)
                .putInt(each.original)
                .put(each.bytes);
        body.writeBytes(fields.array());
        option(body, order, 1, Fuzzing.one(COMMENTS, random).getBytes(StandardCharsets.UTF_8), random);
        option(
                body,
                order,
                2,
                ByteBuffer.allocate(4).order(order).putInt(each.direction).array(),
                random);
        option(body, order, 0, new byte[0], random);
        block(out, order, 6, body.toByteArray());
    }

    private static void option(
            ByteArrayOutputStream body, ByteOrder order, int code, byte[] value, SplittableRandom random) {
        int said = random.nextInt(100) == 0 ? random.nextInt(1 << 16) : value.length;
        ByteBuffer option = ByteBuffer.allocate(4 + padded(value.length)).order(order);
        body.writeBytes(
                option.putShort((short) code).putShort((short) said).put(value).array());
    }

    private static void block(ByteArrayOutputStream out, ByteOrder order, int type, byte[] body) {
        ByteBuffer block = ByteBuffer.allocate(12 + body.length).order(order);
        out.writeBytes(block.putInt(type)
                .putInt(block.capacity())
                .put(body)
                .putInt(block.capacity())
                .array());
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }

    /** Changes a word of the file, or truncates it. */
    private static byte[] damaged(byte[] file, SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(file, random.nextInt(file.length));
        }
        byte[] other = file.clone();
        int at = random.nextInt(file.length - 3) & ~3;
        ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(at, number(random));
        return other;
    }
}
