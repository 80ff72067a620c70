// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Table of a report's texts, each stored once and referenced by index. */
final class StringTable {
    /** Maximum characters of a text; the rest is cut off. */
    static final int MAX_CHARACTERS = 2_000;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** Returns the index of a text, after replacing harmful characters. */
    int number(String text) {
        return numbers.computeIfAbsent(plain(text), any -> numbers.size());
    }

    ArrayNode toJson() {
        ArrayNode all = JsonNodeFactory.instance.arrayNode(numbers.size());
        numbers.keySet().forEach(all::add);
        return all;
    }

    /**
     * Replaces characters that move the cursor or change the writing direction, and unpaired surrogates, which no file can
     * hold, by a visible mark.
     */
    static String plain(String text) {
        String shown = text.length() > MAX_CHARACTERS ? cut(text) : text;
        if (shown.codePoints().allMatch(StringTable::isHarmless)) {
            return shown;
        }
        StringBuilder out = new StringBuilder(shown.length());
        shown.codePoints().forEach(c -> out.appendCodePoint(isHarmless(c) ? c : '\uFFFD'));
        return out.toString();
    }

    private static String cut(String text) {
        int end = MAX_CHARACTERS - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    private static boolean isHarmless(int c) {
        return c == '\n'
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
