// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How deep a text nests and how much its substitutions may make of it, found before anything is parsed: the parser recurses,
 * and a few lines that name each other twice come to gigabytes.
 */
final class Extent {
    static final int MOST_DEPTH = 64;
    static final long MOST_CHARACTERS = 1 << 24;
    private static final int MOST_DOUBLINGS = 24;
    private static final String UNKNOWN = "";

    /** Why a text is not parsed; the line from 1, or 0 for the whole. */
    record Excess(int line, String what) {}

    /** A place where another value is put in, and the key of the whole text in which it stands. */
    private record Substitution(String in, String of) {}

    private final String text;
    private final Deque<Integer> open = new ArrayDeque<>();
    private final List<Substitution> substitutions = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private Optional<String> key = Optional.empty();
    private int at;
    private int line = 1;
    private int depth;
    private int dots;
    private int root;

    private Extent(String text) {
        this.text = text;
    }

    /** Empty if it can be parsed and resolved in bounded space. */
    static Optional<Excess> excess(String text) {
        if (text.length() > MOST_CHARACTERS) {
            return Optional.of(tooLong(text.length() + " characters"));
        }
        return new Extent(text).scan();
    }

    private static Excess tooLong(String what) {
        return new Excess(0, what + "; at most " + MOST_CHARACTERS + " characters are allowed");
    }

    private Optional<Excess> scan() {
        root = text.stripLeading().startsWith("{") ? 1 : 0;
        while (at < text.length()) {
            token();
            if (depth + dots > MOST_DEPTH) {
                return Optional.of(new Excess(line, "nests deeper than " + MOST_DEPTH + " levels"));
            }
        }
        return grown();
    }

    private void token() {
        char mark = text.charAt(at);
        if (text.startsWith("\"\"\"", at)) {
            skipPast("\"\"\"", at + 3);
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

    /** The words so far were a key. */
    private void named() {
        if (isAtRoot() && key.isEmpty()) {
            key = Optional.of(first(word.toString())).filter(name -> !name.isEmpty());
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

    private static String first(String path) {
        String name = path.strip();
        int dot = name.indexOf('.');
        String before = (dot < 0 ? name : name.substring(0, dot)).strip();
        return before.endsWith("+") ? before.substring(0, before.length() - 1).strip() : before;
    }

    private void quoted() {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        int stop = Math.min(end, text.length());
        word.append(text, at + 1, Math.max(at + 1, stop));
        at = stop < text.length() && text.charAt(stop) == '"' ? stop + 1 : Math.max(at + 1, stop);
    }

    private void skipPast(String end, int from) {
        int found = text.indexOf(end, from);
        int to = found < 0 ? text.length() : found + end.length();
        line += (int)
                text.substring(at, to).chars().filter(each -> each == '\n').count();
        at = to;
    }

    private void substitution() {
        int end = text.indexOf('}', at);
        int stop = end < 0 ? text.length() : end;
        String path =
                text.substring(Math.min(at + 2, stop), stop).replace("?", "").replace("\"", "");
        substitutions.add(new Substitution(key.orElse(UNKNOWN), first(path)));
        at = Math.min(stop + 1, text.length());
    }

    /**
     * Those that name a value in which nothing is put in add at most the text each; every other one may double what was there
     * before.
     */
    private Optional<Excess> grown() {
        Set<String> composed = new TreeSet<>();
        substitutions.forEach(each -> composed.add(each.in));
        long doubling = substitutions.stream()
                .filter(each -> composed.contains(each.of) || composed.contains(UNKNOWN))
                .count();
        long adding = substitutions.size() - doubling;
        long grown = doubling > MOST_DOUBLINGS ? Long.MAX_VALUE : text.length() * (1 + adding) << doubling;
        return grown <= MOST_CHARACTERS || substitutions.isEmpty()
                ? Optional.empty()
                : Optional.of(tooLong(substitutions.size() + " substitutions, " + doubling
                        + " of them of values with substitutions," + " may make too much of it"));
    }
}
