// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceCodeTest {
    @Test
    void commentsImportsAndTextsAreNoCode() {
        String source = """
                package a;
                import b.Word;
                /** A Word. */
                class C { // Word
                    String one = "a \\" Word"; /* Word */ char two = '"'; int three = '\\''; String four = "// Word";
                }
                """;
        assertThat(SourceCode.of(source)).doesNotContain("Word", "import").contains("int three =");
    }

    @Test
    void aBlockOfTextIsNoCode() {
        String source = "String a = \"\"\"\n  \"Word\" // \\\"\"\" Word\n\"\"\"; Code code;";
        assertThat(SourceCode.of(source)).doesNotContain("Word").contains("Code code;");
    }

    @Test
    void textBetweenCommentsIsCode() {
        assertThat(SourceCode.of("/* a */ Word /* b */")).contains("Word");
        assertThat(SourceCode.of("f(\"/*\", Word, \"*/\")")).contains("Word");
    }
}
