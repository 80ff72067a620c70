// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every text of a report once; elsewhere stands its number. */
final class StringTable {
    /** Characters of one text at most; the rest is not shown. */
    static final int MAX_CHARACTERS = 2_000;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** The number of a text, harmless as a person sees it. */
    int number(String text) {
        return numbers.computeIfAbsent(plain(text), any -> numbers.size());
    }

    ArrayNode toJson() {
        ArrayNode all = JsonNodeFactory.instance.arrayNode(numbers.size());
        numbers.keySet().forEach(all::add);
        return all;
    }

    /**
     * What would move the cursor or turn the direction of the words behind it, and half a character, which no file can hold, becomes a
     * mark that is seen.
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
