// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.hcaactors.fabric.wire.LinkLayer;

/**
 * Writer of pcapng files: one section, an Ethernet interface for each port, nanosecond timestamps, a direction and comments for
 * each packet. Interfaces may be added at any time. The same calls write the same bytes.
 */
public final class PcapngWriter implements AutoCloseable {
    /** Direction of a packet at its interface. */
    public enum Direction {
        INBOUND(1),
        OUTBOUND(2);

        private final int flag;

        Direction(int flag) {
            this.flag = flag;
        }
    }

    private static final int OPTION_END = 0;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_DESCRIPTION = 3;
    private static final int OPTION_FLAGS = 2;
    private static final int OPTION_RESOLUTION = 9;
    private static final int OPTION_APPLICATION = 4;
    private static final int MAX_COMMENT_BYTES = 8192;

    private final OutputStream out;
    private int interfaces;

    public PcapngWriter(OutputStream out) throws IOException {
        this.out = out;
        ByteBuffer body = block(16 + 64);
        body.putInt(0x1A2B3C4D).putShort((short) 1).putShort((short) 0).putLong(-1);
        option(body, OPTION_APPLICATION, "hca-actors".getBytes(StandardCharsets.UTF_8));
        end(body);
        write(0x0A0D0D0A, body);
    }

    /** @return the number by which {@link #packet} names the interface */
    public int addInterface(String name) throws IOException {
        return addInterface(name, "");
    }

    /**
     * @param description further text about the interface; empty for none
     * @return the number by which {@link #packet} names the interface
     */
    public int addInterface(String name, String description) throws IOException {
        byte[] text = cut(name);
        byte[] more = cut(description);
        ByteBuffer body = block(8 + 8 + padded(text.length) + padded(more.length) + 16);
        body.putShort((short) LinkLayer.ETHERNET.code()).putShort((short) 0).putInt(0);
        option(body, OPTION_NAME, text);
        if (more.length > 0) {
            option(body, OPTION_DESCRIPTION, more);
        }
        option(body, OPTION_RESOLUTION, new byte[] {9});
        end(body);
        write(1, body);
        return interfaces++;
    }

    /** @param comments each cut at 8 KiB */
    public void packet(int port, long timestampNanos, Direction direction, byte[] frame, List<String> comments)
            throws IOException {
        if (port < 0 || port >= interfaces) {
            throw new IllegalArgumentException(
                    "interface " + port + " does not exist; " + interfaces + " interfaces are described");
        }
        int optionBytes = 8 + 4;
        for (String comment : comments) {
            optionBytes += 4 + padded(Math.min(comment.length() * 3, MAX_COMMENT_BYTES));
        }
        ByteBuffer body = block(20 + padded(frame.length) + optionBytes);
        body.putInt(port).putInt((int) (timestampNanos >>> 32)).putInt((int) timestampNanos);
        body.putInt(frame.length).putInt(frame.length);
        body.put(frame).position(20 + padded(frame.length));
        for (String comment : comments) {
            option(body, OPTION_COMMENT, cut(comment));
        }
        ByteBuffer flags = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(direction.flag);
        option(body, OPTION_FLAGS, flags.array());
        end(body);
        write(6, body);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private static ByteBuffer block(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] cut(String comment) {
        byte[] text = comment.getBytes(StandardCharsets.UTF_8);
        return text.length <= MAX_COMMENT_BYTES ? text : Arrays.copyOf(text, MAX_COMMENT_BYTES);
    }

    private static void option(ByteBuffer body, int code, byte[] value) {
        body.putShort((short) code).putShort((short) value.length).put(value);
        body.position(body.position() + padded(value.length) - value.length);
    }

    private static void end(ByteBuffer body) {
        body.putShort((short) OPTION_END).putShort((short) 0);
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }

    private void write(int type, ByteBuffer body) throws IOException {
        int total = 12 + body.position();
        ByteBuffer block = block(total);
        block.putInt(type).putInt(total).put(body.array(), 0, body.position()).putInt(total);
        out.write(block.array());
    }
}
