// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.zip.CRC32;

/** A classic little-endian pcap of untagged IPv4, in which single bytes are changed; the ICRC is made right again on request. */
final class ChangedCapture {
    /** From the first byte of the Ethernet frame. */
    static final int BTH = 42;

    static final int PSN_LAST_BYTE = BTH + 11;
    static final int SYNDROME = BTH + 12;
    static final int MSN_LAST_BYTE = BTH + 15;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int IP = 14;

    private final Path original;
    private final byte[] bytes;
    private final List<Integer> frames = new ArrayList<>();

    ChangedCapture(Path original) throws IOException {
        this.original = original;
        bytes = Files.readAllBytes(original);
        for (int at = FILE_HEADER; at < bytes.length; at += RECORD_HEADER + recordLength(at)) {
            frames.add(at);
        }
    }

    private int recordLength(int record) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(record + 8);
    }

    /** Bytes of a frame; frames are counted from 1. */
    int length(int frame) {
        return recordLength(frames.get(frame - 1));
    }

    /** Flips a bit of a byte of a frame; frames are counted from 1. */
    ChangedCapture flip(int frame, int index, int bit) {
        bytes[frames.get(frame - 1) + RECORD_HEADER + index] ^= (byte) (1 << bit);
        return this;
    }

    /** As from a sender that does not number its packets: the IP identification of each is 0. */
    ChangedCapture withoutIdentifications() {
        for (int frame = 1; frame <= frames.size(); frame++) {
            int ip = frames.get(frame - 1) + RECORD_HEADER + IP;
            ByteBuffer header = ByteBuffer.wrap(bytes);
            header.putShort(ip + 4, (short) 0).putShort(ip + 10, (short) 0);
            int sum = 0;
            for (int at = 0; at < 20; at += 2) {
                sum += header.getShort(ip + at) & 0xFFFF;
            }
            header.putShort(ip + 10, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
            withRightIcrc(frame);
        }
        return this;
    }

    /** As if the sender had sent it so. */
    ChangedCapture withRightIcrc(int frame) {
        int start = frames.get(frame - 1) + RECORD_HEADER;
        int end = start + IP + (ByteBuffer.wrap(bytes).getShort(start + IP + 2) & 0xFFFF) - 4;
        byte[] covered = new byte[8 + end - start - IP];
        System.arraycopy(bytes, start + IP, covered, 8, end - start - IP);
        // Eight bytes of ones, then TOS, TTL, IP checksum, UDP checksum and the BTH's congestion bits as ones (annex
        // A17).
        for (int masked : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 9, 16, 18, 19, 34, 35, 40}) {
            covered[masked] = (byte) 0xFF;
        }
        CRC32 crc = new CRC32();
        crc.update(covered);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) crc.getValue());
        return this;
    }

    /** Writes the frames that pass into the folder, without the notes. */
    Path only(IntPredicate passes, Path folder) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, FILE_HEADER);
        for (int frame = 1; frame <= frames.size(); frame++) {
            if (passes.test(frame)) {
                out.write(bytes, frames.get(frame - 1), RECORD_HEADER + length(frame));
            }
        }
        return Files.write(folder.resolve("part-of-" + original.getFileName()), out.toByteArray());
    }

    /** Writes it into the folder, with its notes. */
    Path in(Path folder) throws IOException {
        Path file = Files.write(folder.resolve(original.getFileName()), bytes);
        String text = original.toString().replace(".pcap", ".txt");
        Path notes = folder.resolve(Path.of(text).getFileName());
        if (Files.exists(Path.of(text)) && !Files.exists(notes)) {
            Files.copy(Path.of(text), notes);
        }
        return file;
    }
}
