// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of types and methods that a page has in backticks. */
final class CitedNames {
    private static final Pattern SPAN = Pattern.compile("(?<!`)`(?<code>[^`\\n]+)`(?!`)");
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");

    private static final Pattern TEST = Pattern.compile("-Dtest='?(?<type>[\\w*]+)(?:#(?<member>\\w+))?");

    /** A word of mixed case: constants and abbreviations are in capitals only. */
    private static final String TYPE = "[A-Z]\\w*[a-z]\\w*";

    private static final Pattern ALONE =
            Pattern.compile("@?(?:[a-z][\\w.-]*[./])*(?<type>" + TYPE + ")(?:\\.(?<member>\\w+))?");
    private static final Pattern MEMBER_ALONE = Pattern.compile("[a-z]+[A-Z]\\w*");
    private static final Pattern CALLS = Pattern.compile(".*(?<![\\w-])[A-Za-z]\\w*\\(.*");
    private static final Pattern IN_CALLS = Pattern.compile(
            "(?<![\\w.-])(?<type>" + TYPE + ")(?:\\.(?<member>\\w+))?|(?<![\\w-])(?<method>[a-z][A-Za-z0-9]*)\\(");

    /** The type of a member that a page cites alone. */
    static final String ANY = "*";

    /**
     * A name that a page cites.
     *
     * @param type empty where a method is called without its type, {@link #ANY} where a member is cited alone, with asterisks where a
     *     command runs several tests
     * @param member method, constant or nested type; empty where only the type is cited
     */
    record Cited(String type, String member) {
        @Override
        public String toString() {
            return type.isEmpty() ? member + "()" : member.isEmpty() ? type : type + "." + member;
        }
    }

    private CitedNames() {}

    static Set<Cited> of(MarkdownPage page) {
        Set<Cited> cited = new LinkedHashSet<>();
        SPAN.matcher(page.prose()).results().forEach(span -> cited.addAll(in(span.group("code"))));
        return cited;
    }

    static List<Cited> in(String span) {
        String code = TEXT.matcher(span.strip()).replaceAll("\"\"");
        Matcher alone = ALONE.matcher(code);
        if (alone.matches()) {
            return List.of(ofType(alone));
        }
        if (MEMBER_ALONE.matcher(code).matches()) {
            return List.of(new Cited(ANY, code));
        }
        if (code.contains(" -D")) {
            return TEST.matcher(code).results().map(CitedNames::ofType).toList();
        }
        return CALLS.matcher(code).matches()
                ? IN_CALLS.matcher(code).results().map(CitedNames::cited).toList()
                : List.of();
    }

    private static Cited cited(MatchResult found) {
        return found.group("type") == null ? new Cited("", found.group("method")) : ofType(found);
    }

    private static Cited ofType(MatchResult found) {
        return new Cited(found.group("type"), Objects.requireNonNullElse(found.group("member"), ""));
    }
}
