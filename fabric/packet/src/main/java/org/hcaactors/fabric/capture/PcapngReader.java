// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Octets;

/**
 * Reader of the pcapng format (draft-ietf-opsawg-pcapng): sections, interfaces, enhanced and simple packets. Other blocks are
 * skipped.
 */
final class PcapngReader implements CaptureReader {
    static final int SECTION_HEADER = 0x0A0D0D0A;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int OPTION_END = 0;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_DESCRIPTION = 3;
    private static final int OPTION_FLAGS = 2;
    private static final int OPTION_RESOLUTION = 9;
    private static final int MAX_INTERFACES = 4096;

    private record Interface(int linkType, long ticksPerSecond, CapturedFrame.Source source) {}

    private record Option(int code, byte[] value) {
        String text() {
            return new String(value, StandardCharsets.UTF_8);
        }
    }

    private final List<Interface> interfaces = new ArrayList<>();
    private RecordStream stream;
    private int frames;

    /** Number of interfaces in the sections before this one; every section counts its own from 0. */
    private int before;

    PcapngReader(InputStream in) throws IOException {
        stream = new RecordStream(in, ByteOrder.BIG_ENDIAN);
        section();
    }

    @Override
    public Optional<CapturedFrame> next() throws IOException {
        while (true) {
            Optional<ByteBuffer> type = stream.piece(4);
            if (type.isEmpty()) {
                return Optional.empty();
            }
            int code = type.get().getInt();
            if (code == SECTION_HEADER) {
                section();
                continue;
            }
            ByteBuffer body = body();
            if (code == INTERFACE) {
                describe(body);
            } else if (code == ENHANCED_PACKET) {
                return Optional.of(enhanced(body));
            } else if (code == SIMPLE_PACKET) {
                return Optional.of(simple(body));
            }
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    private void section() throws IOException {
        ByteBuffer head = stream.withOrder(ByteOrder.BIG_ENDIAN).required(8);
        int magic = head.getInt(4);
        if (magic == BYTE_ORDER_MAGIC) {
            stream = stream.withOrder(ByteOrder.BIG_ENDIAN);
        } else if (Integer.reverseBytes(magic) == BYTE_ORDER_MAGIC) {
            stream = stream.withOrder(ByteOrder.LITTLE_ENDIAN);
        } else {
            throw new CaptureFormatException(
                    "a pcapng section has the unknown byte-order magic 0x%08x".formatted(magic));
        }
        int length = head.order(stream.order()).getInt(0);
        checkLength(length, 28);
        stream.required(length - 12);
        before += interfaces.size();
        interfaces.clear();
    }

    private ByteBuffer body() throws IOException {
        int length = stream.required(4).getInt();
        checkLength(length, 12);
        ByteBuffer body = stream.required(length - 8);
        int trailing = body.getInt(body.limit() - 4);
        if (trailing != length) {
            throw new CaptureFormatException("a block begins with the length " + length + " and ends with the length "
                    + Integer.toUnsignedString(trailing));
        }
        return body.limit(body.limit() - 4);
    }

    private static void checkLength(int length, int min) throws CaptureFormatException {
        if (length < min || length % 4 != 0) {
            throw new CaptureFormatException("a block has " + Integer.toUnsignedString(length) + " bytes; at least "
                    + min + " and a multiple of 4 is allowed");
        }
    }

    private void describe(ByteBuffer body) throws IOException {
        need(body, 8, "interface");
        if (interfaces.size() == MAX_INTERFACES) {
            throw new CaptureFormatException("the file describes more than " + MAX_INTERFACES + " interfaces");
        }
        int linkType = body.getShort(0) & 0xFFFF;
        long ticks = 1_000_000;
        Optional<String> name = Optional.empty();
        Optional<String> description = Optional.empty();
        for (Option option : options(body.position(8))) {
            if (option.code == OPTION_RESOLUTION && option.value.length == 1) {
                ticks = ticksPerSecond(option.value[0]);
            } else if (option.code == OPTION_NAME) {
                name = Optional.of(option.text());
            } else if (option.code == OPTION_DESCRIPTION) {
                description = Optional.of(option.text());
            }
        }
        interfaces.add(new Interface(linkType, ticks, new CapturedFrame.Source(name, description)));
    }

    private static long ticksPerSecond(byte resolution) throws CaptureFormatException {
        int exponent = resolution & 0x7F;
        boolean binary = resolution < 0;
        if (exponent > (binary ? 62 : 18)) {
            throw new CaptureFormatException(
                    "an interface has the time resolution 0x%02x; at most 10^-18 s and 2^-62 s are read"
                            .formatted(resolution));
        }
        long ticks = 1;
        for (int i = 0; i < exponent; i++) {
            ticks *= binary ? 2 : 10;
        }
        return ticks;
    }

    private CapturedFrame enhanced(ByteBuffer body) throws IOException {
        need(body, 20, "packet");
        Interface from = interfaceOf(body.getInt(0));
        long ticks = Integer.toUnsignedLong(body.getInt(4)) << 32 | Integer.toUnsignedLong(body.getInt(8));
        int captured = body.getInt(12);
        int padded = padded(captured);
        need(body, 20L + padded, "packet");
        byte[] bytes = new byte[captured];
        body.get(20, bytes);
        List<String> comments = new ArrayList<>();
        Optional<Direction> direction = Optional.empty();
        for (Option option : options(body.position(20 + padded))) {
            if (option.code == OPTION_COMMENT) {
                comments.add(option.text());
            } else if (option.code == OPTION_FLAGS && option.value.length == 4) {
                direction = direction(
                        ByteBuffer.wrap(option.value).order(body.order()).getInt());
            }
        }
        return new CapturedFrame(
                ++frames,
                nanos(ticks, from.ticksPerSecond),
                from.linkType,
                Octets.wrap(bytes, 0, captured),
                body.getInt(16),
                List.copyOf(comments),
                before + body.getInt(0),
                from.source,
                direction);
    }

    /** @param flags of a packet; the two lowest bits are its direction, 0 if unknown */
    private static Optional<Direction> direction(int flags) {
        return switch (flags & 3) {
            case 1 -> Optional.of(Direction.INBOUND);
            case 2 -> Optional.of(Direction.OUTBOUND);
            default -> Optional.empty();
        };
    }

    private CapturedFrame simple(ByteBuffer body) throws IOException {
        need(body, 4, "packet");
        int original = body.getInt(0);
        int captured = Math.min(original, body.limit() - 4);
        if (original < 0) {
            throw new CaptureFormatException(
                    "a packet has " + Integer.toUnsignedString(original) + " bytes; fewer than 2^31 are read");
        }
        byte[] bytes = new byte[captured];
        body.get(4, bytes);
        Interface from = interfaceOf(0);
        return new CapturedFrame(
                ++frames,
                0,
                from.linkType,
                Octets.wrap(bytes, 0, captured),
                original,
                List.of(),
                before,
                from.source,
                Optional.empty());
    }

    private static long nanos(long ticks, long perSecond) {
        long seconds = Long.divideUnsigned(ticks, perSecond);
        long rest = Long.remainderUnsigned(ticks, perSecond);
        return seconds * 1_000_000_000L + (long) ((double) rest / perSecond * 1e9 + 0.5);
    }

    private Interface interfaceOf(int index) throws CaptureFormatException {
        if (index < 0 || index >= interfaces.size()) {
            throw new CaptureFormatException("a packet names interface " + Integer.toUnsignedString(index)
                    + "; the file describes " + interfaces.size() + " interfaces");
        }
        return interfaces.get(index);
    }

    private static List<Option> options(ByteBuffer in) {
        List<Option> options = new ArrayList<>();
        while (in.remaining() >= 4) {
            int code = in.getShort() & 0xFFFF;
            int length = in.getShort() & 0xFFFF;
            if (code == OPTION_END || padded(length) > in.remaining()) {
                break;
            }
            byte[] value = new byte[length];
            in.get(value);
            in.position(in.position() + padded(length) - length);
            options.add(new Option(code, value));
        }
        return options;
    }

    private static int padded(int length) {
        return length < 0 || length > MAX_RECORD_BYTES ? Integer.MAX_VALUE : length + 3 & ~3;
    }

    private static void need(ByteBuffer body, long bytes, String what) throws CaptureFormatException {
        if (body.limit() < bytes) {
            throw new CaptureFormatException("a block has " + body.limit() + " bytes and is too short for its " + what);
        }
    }
}
