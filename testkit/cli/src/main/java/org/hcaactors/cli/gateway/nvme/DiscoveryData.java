// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Data that a discovery controller delivers: Identify Controller of NVM Express Base 2.0, and the discovery log page of NVMe over
 * Fabrics 1.1. The offsets are those of Linux's include/linux/nvme.h.
 *
 * <p>Immutable.
 *
 * @param address of the adapter
 * @param port of the adapter
 * @param controller id, 1 to {@value DiscoveryController#MOST_CONTROLLERS}
 */
public record DiscoveryData(InetAddress address, int port, int controller) {
    /** Name of the discovery subsystem. */
    public static final String SUBSYSTEM = "nqn.2014-08.org.nvmexpress.discovery";

    /** Bytes of Identify Controller. */
    public static final int IDENTIFY_BYTES = 4096;

    /** Bytes of the header of the log page, and of an entry. */
    static final int ENTRY_BYTES = 1024;

    /** Bytes of the log page. */
    static final int LOG_BYTES = 2 * ENTRY_BYTES;

    static final int VERSION = 0x1_0400;

    private static final byte TWO_PAGES = 1;
    private static final byte DISCOVERY = 2;
    private static final byte LOG_OFFSETS = 1 << 2;
    private static final int ANY_COMMAND_KEEPS_ALIVE = 1 << 6;
    private static final int DISCOVERY_CHANGES = 1 << 31;
    private static final int KEYED_SGLS = 1 << 2 | 1;
    private static final short SECOND = 10;

    /** Returns Identify Controller. */
    byte[] identify() {
        ByteBuffer page = page(IDENTIFY_BYTES);
        text(page, 4, 20, ' ', "0");
        text(page, 24, 40, ' ', "hca-actors discovery");
        text(page, 64, 8, ' ', "1");
        page.put(77, TWO_PAGES)
                .putShort(78, (short) controller)
                .putInt(80, VERSION)
                .putInt(92, DISCOVERY_CHANGES)
                .putInt(96, ANY_COMMAND_KEEPS_ALIVE)
                .put(111, DISCOVERY)
                .put(261, LOG_OFFSETS)
                .putShort(320, SECOND)
                .putShort(514, (short) DiscoveryController.QUEUE_ENTRIES)
                .putInt(536, KEYED_SGLS);
        text(page, 768, 256, '\0', SUBSYSTEM);
        return page.array();
    }

    /**
     * Returns a part of the log page, with zeros behind its end.
     *
     * @param offset at most the bytes of the page
     */
    byte[] log(int offset, int bytes) {
        return Arrays.copyOfRange(log(), offset, offset + bytes);
    }

    /** Returns the log page: its one entry is the discovery subsystem itself. */
    private byte[] log() {
        ByteBuffer page = page(LOG_BYTES);
        page.putLong(0, 1).putLong(8, 1);
        entry(page.slice(ENTRY_BYTES, ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN));
        return page.array();
    }

    private void entry(ByteBuffer entry) {
        byte rdma = 1;
        byte family = (byte) (address instanceof Inet4Address ? 1 : 2);
        byte current = 3;
        byte connected = 1;
        byte roce2 = 4;
        byte rdmaCm = 1;
        entry.put(0, rdma).put(1, family).put(2, current);
        entry.putShort(6, (short) 0xffff).putShort(8, (short) DiscoveryController.QUEUE_ENTRIES);
        text(entry, 32, 32, ' ', Integer.toString(port));
        text(entry, 256, 256, '\0', SUBSYSTEM);
        text(entry, 512, 256, ' ', address.getHostAddress());
        entry.put(768, connected).put(769, roce2).put(770, rdmaCm);
    }

    private static ByteBuffer page(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void text(ByteBuffer page, int at, int bytes, char padding, String text) {
        byte[] field = new byte[bytes];
        Arrays.fill(field, (byte) padding);
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, field, 0, ascii.length);
        page.put(at, field);
    }
}
