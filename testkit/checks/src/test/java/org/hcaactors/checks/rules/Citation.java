// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place that names a rule.
 *
 * @param rule its id, which may not exist
 * @param kind of the file
 * @param place class, and in a test the method where it is not the whole class
 */
record Citation(String rule, Kind kind, String place) {
    /** What naming a rule means there. */
    enum Kind {
        /** It is kept here. */
        CODE,
        /** The bench reckons with it here: an invariant, a model, a fault. */
        BENCH,
        /** It is held by this test. */
        TEST,
        /** A reader is sent there. */
        PAGE
    }

    private static final Pattern NAMED = Pattern.compile("\\brules? (" + Rule.ID + "(?:(?:, | and )" + Rule.ID + ")*)");
    private static final Pattern EACH = Pattern.compile(Rule.ID);
    private static final Pattern METHOD = Pattern.compile(
            "(?m)^    (?=\\S)(?:(?:public|private|protected|static|final) )*(?!return|else)[\\w<>\\[\\], .?]+ (\\w+)\\(");

    /** How notes were cited that are in nobody's clone. */
    private static final Pattern ASTRAY = Pattern.compile(
            "\\b(?:rc-protocol|wire-formats|completion-notify|device-and-config|hot-path|tag-matching) \\d"
                    + "|\\b(?:memory|atomics|odp|xrc|dc) \\d\\.\\d");

    /** A comment that goes on in the next line is one text; each position stays what it was. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\R[ \\t]*(?:\\*(?!/)|//)?[ \\t]?");

    /** @param path from the root of the project, with slashes */
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

    /** Where the file sends its reader to notes of ours that are not in the project. */
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

    /** A comment of a member is about the method below, one inside of a method about that. */
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

    /** The text with its comments' line breaks taken out, and where each character came from. */
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
