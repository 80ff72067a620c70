// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Readers of single fields, which refuse a field by its name unless it has the format's type. */
final class Fields {
    private static final int SHOWN = 40;

    private Fields() {}

    /** Reads an integer, or the string that represents one beyond 2^53. */
    static long number(JsonNode owner, String field, String path) throws RlogFormatException {
        JsonNode value = present(owner, field, path);
        return asNumber(value).orElseThrow(() -> wrong(path, value, "an integer"));
    }

    /** Reads an integer that is not negative. */
    static long count(JsonNode owner, String field, String path) throws RlogFormatException {
        long value = number(owner, field, path);
        if (value < 0) {
            throw new RlogFormatException(path + " is " + value + "; it must not be negative");
        }
        return value;
    }

    static List<Long> numbers(JsonNode owner, String field, String path) throws RlogFormatException {
        JsonNode list = present(owner, field, path);
        if (!list.isArray()) {
            throw wrong(path, list, "a list");
        }
        List<Long> numbers = new ArrayList<>(list.size());
        for (JsonNode each : list) {
            numbers.add(asNumber(each).orElseThrow(() -> wrong(path, list, "a list of integers")));
        }
        return numbers;
    }

    static String text(JsonNode owner, String field, String path) throws RlogFormatException {
        JsonNode value = present(owner, field, path);
        if (!value.isTextual()) {
            throw wrong(path, value, "a string");
        }
        return value.textValue();
    }

    static JsonNode object(JsonNode owner, String field, String path) throws RlogFormatException {
        JsonNode value = present(owner, field, path);
        if (!value.isObject()) {
            throw wrong(path, value, "an object");
        }
        return value;
    }

    private static JsonNode present(JsonNode owner, String field, String path) throws RlogFormatException {
        JsonNode value = owner.path(field);
        if (value.isMissingNode() || value.isNull()) {
            throw missing(path);
        }
        return value;
    }

    static RlogFormatException missing(String path) {
        return new RlogFormatException(path + " is missing");
    }

    static RlogFormatException wrong(String path, JsonNode value, String allowed) {
        return new RlogFormatException(path + " is " + shown(value) + "; it must be " + allowed);
    }

    static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private static OptionalLong asNumber(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return OptionalLong.of(value.longValue());
        }
        try {
            return value.isTextual() ? OptionalLong.of(Long.parseLong(value.textValue())) : OptionalLong.empty();
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
