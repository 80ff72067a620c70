// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.packet.PortAddress;

/** Output of both programs, from the file NAME.txt next to NAME.pcap: PSNs, keys, completions. */
final class Notes {
    private static final int MAX_BYTES = 1 << 24;

    /** At most 32 bits. */
    private static final String HEX = "[0-9a-fA-F]{1,8}";

    private static final Pattern HOST =
            Pattern.compile("# (server|client) \\(\\S+ (\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\)");
    private static final Pattern COUNT = Pattern.compile("# \\S+ packets=(\\d+) of=(\\d+) .*");
    private static final Pattern SECTION = Pattern.compile("--- (server|client) output");
    private static final Pattern ENDS =
            Pattern.compile("local qpn=0x(HEX) psn=0x(HEX) rkey=0x(HEX) addr=0x(\\w+) \\|.*".replace("HEX", HEX));
    private static final Pattern LOCAL =
            Pattern.compile("\\s*local address:\\s+LID \\w+,? QPN 0x(HEX),? PSN 0x(HEX).*".replace("HEX", HEX));
    private static final Pattern COMPLETION = Pattern.compile(
            "\\s*wc wr_id=(\\d{1,18}) status=(\\d{1,9})\\(.*?\\) vend=\\S+(?: op=(\\w+) len=(\\d{1,18}).*)?");

    /**
     * A printed completion.
     *
     * @param operation as the program prints it; empty on error
     */
    record Printed(long workId, int status, String operation, long lengthBytes) {
        boolean isReceive() {
            return operation.startsWith("RECV");
        }
    }

    /** Output of one side. */
    static final class Side {
        final Map<Integer, Integer> firstPsns = new LinkedHashMap<>();
        final List<Integer> keys = new ArrayList<>();
        final List<Printed> completions = new ArrayList<>();
    }

    private final Map<PortAddress, Side> sides = new LinkedHashMap<>();
    private boolean counted;
    private boolean cut;

    private Notes() {}

    /** Reads the notes next to a capture; empty notes if there is no such file. */
    static Notes of(Path capture) throws IOException {
        String name = String.valueOf(capture.getFileName());
        int dot = name.lastIndexOf('.');
        Path text = capture.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + ".txt");
        Notes notes = new Notes();
        if (Files.isReadable(text) && !Files.isDirectory(text)) {
            if (Files.size(text) > MAX_BYTES) {
                throw new CaptureFormatException("the output of both programs, " + text.getFileName() + ", has "
                        + Files.size(text) + " bytes; at most " + MAX_BYTES + " are allowed");
            }
            notes.parse(new String(Files.readAllBytes(text), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
        return notes;
    }

    private void parse(List<String> lines) {
        Map<String, PortAddress> hosts = new LinkedHashMap<>();
        Optional<Side> current = Optional.empty();
        for (String line : lines) {
            Matcher host = HOST.matcher(line);
            Matcher section = SECTION.matcher(line);
            Matcher count = COUNT.matcher(line);
            counted |= count.matches();
            cut |= count.matches() && !count.group(1).equals(count.group(2));
            if (host.find()) {
                hosts.put(host.group(1), address(host));
            } else if (section.find()) {
                current = Optional.ofNullable(hosts.get(section.group(1)))
                        .map(address -> sides.computeIfAbsent(address, any -> new Side()));
            } else {
                current.ifPresent(side -> fact(line, side));
            }
        }
    }

    private static PortAddress address(Matcher host) {
        int address = 0;
        for (int group = 2; group <= 5; group++) {
            address = address << 8 | Integer.parseInt(host.group(group)) & 0xFF;
        }
        return PortAddress.ofIpv4(address);
    }

    private static void fact(String line, Side side) {
        Matcher ends = ENDS.matcher(line);
        Matcher local = LOCAL.matcher(line);
        Matcher completion = COMPLETION.matcher(line);
        if (ends.matches()) {
            side.firstPsns.put(hex(ends.group(1)), hex(ends.group(2)));
            side.keys.add(hex(ends.group(3)));
        } else if (local.matches()) {
            side.firstPsns.put(hex(local.group(1)), hex(local.group(2)));
        } else if (completion.matches()) {
            String operation = completion.group(3);
            side.completions.add(new Printed(
                    Long.parseLong(completion.group(1)),
                    Integer.parseInt(completion.group(2)),
                    operation == null ? "" : operation,
                    operation == null ? 0 : Long.parseLong(completion.group(4))));
        }
    }

    private static int hex(String digits) {
        return Integer.parseUnsignedInt(digits, 16);
    }

    /** True if the capture was cut to fewer packets. */
    boolean isCut() {
        return cut;
    }

    /** True if there are notes, and they confirm that the capture is complete. */
    boolean confirmsComplete() {
        return counted && !cut;
    }

    /** True if there are no notes about that port. */
    boolean isSilentAbout(PortAddress port) {
        return !sides.containsKey(port);
    }

    /** Returns the first PSN that a queue pair sends. */
    OptionalInt firstPsn(PortAddress port, int qp) {
        Integer psn = side(port).firstPsns.get(qp);
        return psn == null ? OptionalInt.empty() : OptionalInt.of(psn);
    }

    List<Integer> keys(PortAddress port) {
        return List.copyOf(side(port).keys);
    }

    /** Returns every completion that the program on that port printed, in order. */
    List<Printed> completions(PortAddress port) {
        return List.copyOf(side(port).completions);
    }

    private Side side(PortAddress port) {
        return sides.getOrDefault(port, new Side());
    }
}
