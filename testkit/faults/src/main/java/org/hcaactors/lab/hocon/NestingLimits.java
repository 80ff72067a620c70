// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigUtil;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Check of how deep a text nests and how large its substitutions may make it, before it is parsed: the parser recurses, and a
 * few lines with two references each expand to gigabytes.
 */
final class NestingLimits {
    static final int MAX_DEPTH = 64;
    static final long MAX_CHARACTERS = 1 << 24;
    private static final int MAX_DOUBLINGS = 24;
    private static final String UNKNOWN = "";
    private static final String THREE_MARKS = "\"\"\"";

    /** Reason why a text is not parsed; the line from 1, or 0 for the whole text. */
    record Excess(int line, String what) {}

    /** A substitution, with the top-level keys of its place and its target. */
    private record Substitution(String in, String of) {}

    private final String text;
    private final Deque<Integer> open = new ArrayDeque<>();
    private final List<Substitution> substitutions = new ArrayList<>();
    /** Characters that may turn out to be a key. */
    private final StringBuilder word = new StringBuilder();

    private Optional<String> key = Optional.empty();
    private int at;
    private int line = 1;
    private int depth;
    private int dots;
    private int root;
    /** Number of substitutions nested in another one, which is not allowed, but the parser recurses before it reports that. */
    private int inner;

    private NestingLimits(String text) {
        this.text = text;
    }

    /** Returns empty if the text can be parsed and resolved in bounded space. */
    static Optional<Excess> excess(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Optional.of(tooLong(text.length() + " characters"));
        }
        return new NestingLimits(text).scan();
    }

    private static Excess tooLong(String what) {
        return new Excess(0, what + "; at most " + MAX_CHARACTERS + " characters are allowed");
    }

    private Optional<Excess> scan() {
        root = text.stripLeading().startsWith("{") ? 1 : 0;
        while (at < text.length()) {
            token();
            if (depth + dots > MAX_DEPTH || inner > MAX_DEPTH) {
                return Optional.of(new Excess(line, "nests deeper than " + MAX_DEPTH + " levels"));
            }
        }
        return grown();
    }

    private void token() {
        char mark = text.charAt(at);
        if (text.startsWith("\"\"\"", at)) {
            tripleQuoted();
        } else if (mark == '"') {
            quoted();
        } else if (mark == '#' || text.startsWith("//", at)) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        } else if (text.startsWith("${", at)) {
            substitution();
        } else {
            plain(mark);
            at++;
        }
    }

    private void plain(char mark) {
        switch (mark) {
            case '{', '[' -> {
                named();
                open.push(dots + 1);
                depth += dots + 1;
                dots = 0;
            }
            case '}', ']' -> {
                depth -= open.isEmpty() ? 0 : open.pop();
                dots = 0;
            }
            case '=', ':' -> {
                named();
                dots = 0;
            }
            case '\n' -> {
                line++;
                ended();
            }
            case ',' -> ended();
            case '.' -> {
                dots++;
                word.append(mark);
            }
            default -> word.append(mark);
        }
    }

    private boolean isAtRoot() {
        return open.size() <= root;
    }

    /** The characters so far were a key. */
    private void named() {
        if (isAtRoot() && key.isEmpty()) {
            key = Optional.of(first(withoutPlus(word.toString().strip()))).filter(name -> !name.equals(UNKNOWN));
        }
        word.setLength(0);
    }

    private void ended() {
        dots = 0;
        word.setLength(0);
        if (isAtRoot()) {
            key = Optional.empty();
        }
    }

    private static String withoutPlus(String name) {
        return name.endsWith("+") ? name.substring(0, name.length() - 1).strip() : name;
    }

    /**
     * Returns the first path element as the parser reads it, so that different spellings of a name are equal; unknown if it is
     * not a path.
     */
    private static String first(String path) {
        try {
            return ConfigUtil.splitPath(path).getFirst();
        } catch (ConfigException none) {
            return UNKNOWN;
        }
    }

    private void quoted() {
        int end = endOfQuoted(at, text.length());
        word.append(text, at, end);
        at = end;
    }

    /** Returns the end: after the closing mark, or the end of the line or the limit. */
    private int endOfQuoted(int from, int limit) {
        int end = from + 1;
        while (end < limit && text.charAt(end) != '"' && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return end < limit && text.charAt(end) == '"' ? end + 1 : Math.min(end, limit);
    }

    /** Additional marks after the closing three belong to the string. */
    private void tripleQuoted() {
        int end = endOfTripleQuoted(at);
        word.append(text, at, end);
        line += (int)
                text.substring(at, end).chars().filter(each -> each == '\n').count();
        at = end;
    }

    private int endOfTripleQuoted(int from) {
        int found = text.indexOf(THREE_MARKS, from + THREE_MARKS.length());
        int end = found < 0 ? text.length() : found + THREE_MARKS.length();
        while (found >= 0 && end < text.length() && text.charAt(end) == '"') {
            end++;
        }
        return end;
    }

    private void substitution() {
        int from = at + "${".length();
        int end = from;
        while (end < text.length() && text.charAt(end) != '}') {
            inner += text.startsWith("${", end) ? 1 : 0;
            end = text.startsWith(THREE_MARKS, end)
                    ? endOfTripleQuoted(end)
                    : text.charAt(end) == '"' ? endOfQuoted(end, text.length()) : end + 1;
        }
        String path = text.substring(Math.min(from, end), end);
        int levels = (int) path.chars().filter(each -> each == '.').count();
        if (depth + levels > MAX_DEPTH) {
            dots += levels;
        } else if (inner <= MAX_DEPTH) {
            substitutions.add(
                    new Substitution(key.orElse(UNKNOWN), first(path.startsWith("?") ? path.substring(1) : path)));
        }
        at = Math.min(end + 1, text.length());
    }

    /**
     * A substitution of a value without substitutions adds at most the text once; every other one may double the size so far.
     */
    private Optional<Excess> grown() {
        Set<String> composed = new TreeSet<>();
        substitutions.forEach(each -> composed.add(each.in));
        long doubling = substitutions.stream()
                .filter(each -> composed.contains(each.of) || composed.contains(UNKNOWN) || each.of.equals(UNKNOWN))
                .count();
        long adding = substitutions.size() - doubling;
        long grown = doubling > MAX_DOUBLINGS ? Long.MAX_VALUE : text.length() * (1 + adding) << doubling;
        return grown <= MAX_CHARACTERS || substitutions.isEmpty()
                ? Optional.empty()
                : Optional.of(tooLong(substitutions.size() + " substitutions, " + doubling
                        + " of them of values with substitutions," + " may expand beyond the limit"));
    }
}
