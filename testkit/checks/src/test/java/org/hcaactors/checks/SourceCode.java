// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The part of a source that a compiler translates: no comments, imports and string literals. */
public final class SourceCode {
    /** In the order of where they can begin: a text can hold what looks like a comment, and a comment what looks like a text. */
    private static final Pattern NOT_CODE = Pattern.compile(
            "(?<comment>//[^\n]*|/\\*.*?\\*/)"
                    + "|(?<text>\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.[0-7]*|[^'\\\\\n])')",
            Pattern.DOTALL);

    private static final Pattern IMPORT = Pattern.compile("^(?:package|import) [^\n]*$", Pattern.MULTILINE);

    private SourceCode() {}

    /** Of a Java or a Kotlin source: without comments and imports, and with empty texts. */
    public static String of(String source) {
        String code = NOT_CODE.matcher(source).replaceAll(SourceCode::left);
        return IMPORT.matcher(code).replaceAll("");
    }

    /** Returns the comments of a Java or a Kotlin source, where they are. */
    public static Stream<MatchResult> comments(String source) {
        return NOT_CODE.matcher(source).results().filter(found -> found.group("comment") != null);
    }

    private static String left(MatchResult found) {
        return found.group("comment") == null ? "\"\"" : " ";
    }
}
