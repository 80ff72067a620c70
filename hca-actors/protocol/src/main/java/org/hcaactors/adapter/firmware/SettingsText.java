// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.ValueRange;

// rule firmware-kept
/**
 * File format of firmware settings: lines of text, with a checksum in the last line.
 * <pre>
 * hca-firmware 1
 * model 4121
 * current IBM_CAPI_EN 1
 * next IBM_CAPI_EN 1
 * sum 5f0a3c11
 * </pre>
 */
public final class SettingsText {
    private static final int VERSION = 1;
    private static final String HEADER = "hca-firmware ";
    private static final String SUM = "sum ";

    /** Space for every parameter twice. */
    private static final int MAX_BYTES = 1 << 14;

    private final Profile model;
    private final String where;

    /** @param where location of the file, for messages */
    public SettingsText(Profile model, String where) {
        this.model = model;
        this.where = where;
    }

    public byte[] write(FirmwareSettings settings) {
        StringBuilder text = new StringBuilder();
        text.append(HEADER).append(VERSION).append('\n');
        text.append("model ").append(model.vendorPartId()).append('\n');
        settings.current().forEach((parameter, value) -> line(text, "current", parameter, value));
        settings.next().forEach((parameter, value) -> line(text, "next", parameter, value));
        String body = text.toString();
        return (body + SUM + sum(body) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void line(StringBuilder text, String level, FirmwareParameter parameter, long value) {
        text.append(level)
                .append(' ')
                .append(parameter)
                .append(' ')
                .append(value)
                .append('\n');
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.US_ASCII));
        return "%08x".formatted(sum.getValue());
    }

    /** Reads settings; FirmwareException unless {@link #write} wrote these bytes for the same model. */
    public FirmwareSettings read(byte[] bytes) {
        String text = text(bytes);
        checkVersion(text);
        String body = checked(text);
        List<String> lines = body.lines().skip(1).toList();
        if (lines.isEmpty() || !lines.getFirst().equals("model " + model.vendorPartId())) {
            throw damaged("the file is for " + (lines.isEmpty() ? "no model" : lines.getFirst())
                    + ", and the device is model " + model.vendorPartId());
        }
        Map<FirmwareParameter, Long> current = new EnumMap<>(FirmwareParameter.class);
        Map<FirmwareParameter, Long> next = new EnumMap<>(FirmwareParameter.class);
        lines.stream().skip(1).forEach(line -> read(line, current, next));
        return new FirmwareSettings(current, next);
    }

    private String text(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw damaged("the file has " + bytes.length + " bytes, and the maximum is " + MAX_BYTES);
        }
        try {
            return StandardCharsets.US_ASCII
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw damaged("the file is not ASCII text");
        }
    }

    private void checkVersion(String text) {
        String first = text.lines().findFirst().orElse("");
        if (!first.startsWith(HEADER)) {
            throw damaged("the file does not begin with \"" + HEADER + VERSION + "\"");
        }
        if (!first.equals(HEADER + VERSION)) {
            throw damaged("the file has version " + first.substring(HEADER.length())
                    + ", and this program reads version " + VERSION);
        }
    }

    private String checked(String text) {
        int last = text.lastIndexOf(SUM);
        if (last < 0 || !text.substring(last).equals(SUM + sum(text.substring(0, last)) + "\n")) {
            throw damaged("the checksum in the last line does not match the other lines");
        }
        return text.substring(0, last);
    }

    private void read(String line, Map<FirmwareParameter, Long> current, Map<FirmwareParameter, Long> next) {
        String[] words = line.split(" ", -1);
        if (words.length != 3) {
            throw damaged("line \"" + line + "\" is not valid");
        }
        Map<FirmwareParameter, Long> level = switch (words[0]) {
            case "current" -> current;
            case "next" -> next;
            default -> throw damaged("line \"" + line + "\" is not valid");
        };
        FirmwareParameter parameter = FirmwareParameter.find(words[1])
                .orElseThrow(() -> damaged("the file sets " + words[1] + ", which this version does not know"));
        ValueRange allowed = model.firmware()
                .range(parameter)
                .orElseThrow(() -> damaged("the file sets " + parameter + ", which the device does not have"));
        Optional<Long> value = value(words[2]).filter(allowed::contains);
        if (value.isEmpty() || level.put(parameter, value.get()) != null) {
            throw damaged("line \"" + line + "\" is not valid; one line per parameter is allowed, and "
                    + parameter.type().allowed(allowed));
        }
    }

    private static Optional<Long> value(String digits) {
        return digits.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(digits)) : Optional.empty();
    }

    private FirmwareException damaged(String reason) {
        return new FirmwareException(List.of(new FirmwareRefusal.Damaged(where, reason)));
    }
}
