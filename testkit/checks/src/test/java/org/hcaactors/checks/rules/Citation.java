// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place that cites a rule.
 *
 * @param rule its id, which may not exist
 * @param kind kind of the file
 * @param place class, and in a test the method unless the whole class is meant
 */
record Citation(String rule, Kind kind, String place) {
    /** Meaning of a citation. */
    enum Kind {
        /** The code implements the rule. */
        CODE,
        /** The testkit relies on it: an invariant, a model, a fault. */
        BENCH,
        /** The test checks it. */
        TEST,
        /** A page refers its reader to it. */
        PAGE
    }

    private static final Pattern NAMED = Pattern.compile("\\brules? (" + Rule.ID + "(?:(?:, | and )" + Rule.ID + ")*)");
    private static final Pattern EACH = Pattern.compile(Rule.ID);
    private static final Pattern METHOD = Pattern.compile(
            "(?m)^    (?=\\S)(?:(?:public|private|protected|static|final) )*(?!return|else)[\\w<>\\[\\], .?]+ (\\w+)\\(");

    /** How private notes were cited, which are not in the repository. */
    private static final Pattern ASTRAY = Pattern.compile(
            "\\b(?:rc-protocol|wire-formats|completion-notify|device-and-config|hot-path|tag-matching) \\d"
                    + "|\\b(?:memory|atomics|odp|xrc|dc) \\d\\.\\d");

    /** A comment that continues in the next line is one text; every position stays the same. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\R[ \\t]*(?:\\*(?!/)|//)?[ \\t]?");

    /**
     * Returns the citations in a file.
     *
     * @param path path from the root of the project, with slashes
     */
    static List<Citation> in(String path, String text) {
        Kind kind = kindOf(path);
        String name = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.\\w+$", "");
        List<Citation> citations = new ArrayList<>();
        Unfolded unfolded = Unfolded.of(text);
        Matcher named = NAMED.matcher(unfolded.text);
        while (named.find()) {
            int at = unfolded.origin(named.start());
            String place = kind == Kind.TEST ? name + method(text, at) : name;
            EACH.matcher(named.group(1)).results().forEach(id -> citations.add(new Citation(id.group(), kind, place)));
        }
        return citations;
    }

    /** Returns citations of private notes that are not in the project. */
    static List<String> astray(String path, String text) {
        return ASTRAY.matcher(Unfolded.of(text).text)
                .results()
                .map(found -> path + " cites " + found.group())
                .toList();
    }

    private static Kind kindOf(String path) {
        if (path.contains("/src/test/")) {
            return Kind.TEST;
        }
        if (path.contains("/src/main/")) {
            return path.startsWith("testkit/") ? Kind.BENCH : Kind.CODE;
        }
        return Kind.PAGE;
    }

    /**
     * Returns the method that a comment belongs to: the one below a member's comment, or the one around a comment inside it.
     */
    private static String method(String text, int at) {
        int lineAt = text.lastIndexOf('\n', at) + 1;
        int indent = 0;
        while (text.charAt(lineAt + indent) == ' ') {
            indent++;
        }
        if (indent < 4) {
            return "";
        }
        Matcher method = METHOD.matcher(text);
        if (indent < 8) {
            return method.find(at) ? "." + method.group(1) : "";
        }
        return method.results()
                .filter(found -> found.start() < at)
                .reduce((first, second) -> second)
                .map(found -> "." + found.group(1))
                .orElse("");
    }

    /** The text without the line breaks of its comments, and the original position of each character. */
    private record Unfolded(String text, int[] origins) {
        static Unfolded of(String text) {
            StringBuilder out = new StringBuilder(text.length());
            int[] origins = new int[text.length() + 1];
            int at = 0;
            for (MatchResult gap : LINE_BREAK.matcher(text).results().toList()) {
                at = copy(text, at, gap.start(), out, origins);
                origins[out.length()] = gap.start();
                out.append(' ');
                at = gap.end();
            }
            copy(text, at, text.length(), out, origins);
            return new Unfolded(out.toString(), origins);
        }

        private static int copy(String text, int from, int to, StringBuilder out, int[] origins) {
            for (int i = from; i < to; i++) {
                origins[out.length()] = i;
                out.append(text.charAt(i));
            }
            return to;
        }

        int origin(int index) {
            return origins[index];
        }
    }
}
