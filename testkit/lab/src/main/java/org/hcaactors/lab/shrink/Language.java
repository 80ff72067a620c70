// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The language of a test's source. */
public enum Language {
    JAVA("java", ";", "\"\"\"") {
        @Override
        String name(String name) {
            return name;
        }

        /** A text block interprets escapes. */
        @Override
        String text(String line) {
            return line.replace("\\", "\\\\");
        }

        @Override
        String parameter(String annotations, String type, String name) {
            return annotations + type + " " + name;
        }

        @Override
        public String array(List<String> items) {
            return "{" + String.join(", ", items) + "}";
        }

        @Override
        public String classLiteral(Class<?> type) {
            return type.getCanonicalName() + ".class";
        }

        @Override
        public String nested(String annotation) {
            return "@" + annotation;
        }

        @Override
        String lambda(String parameter) {
            return ".run(" + parameter + " -> {";
        }

        @Override
        String head(String name, String parameters) {
            return "void " + name + "(" + parameters + ") throws Exception {";
        }
    },
    KOTLIN("kt", "", "\"\"\"") {
        @Override
        String name(String name) {
            return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : "`" + name + "`";
        }

        /** A raw string interprets templates, but no escapes. */
        @Override
        String text(String line) {
            return line.replace("$", "${'$'}");
        }

        @Override
        public String quoted(String text) {
            return super.quoted(text).replace("$", "\\$");
        }

        @Override
        String parameter(String annotations, String type, String name) {
            return annotations + name + ": " + type;
        }

        @Override
        public String array(List<String> items) {
            return "[" + String.join(", ", items) + "]";
        }

        @Override
        public String classLiteral(Class<?> type) {
            return type.getCanonicalName() + "::class";
        }

        @Override
        public String nested(String annotation) {
            return annotation;
        }

        @Override
        String lambda(String parameter) {
            return ".run { " + parameter + " ->";
        }

        @Override
        String head(String name, String parameters) {
            return "fun " + name + "(" + parameters + ") {";
        }
    };

    private static final String KOTLINS_MARK = "kotlin.Metadata";

    private final String extension;
    private final String end;
    private final String quotes;

    Language(String extension, String end, String quotes) {
        this.extension = extension;
        this.end = end;
        this.quotes = quotes;
    }

    /** Returns the language from which a class was compiled. */
    public static Language of(Class<?> type) {
        boolean kotlin = Arrays.stream(type.getAnnotations())
                .anyMatch(mark -> mark.annotationType().getName().equals(KOTLINS_MARK));
        return kotlin ? KOTLIN : JAVA;
    }

    /** Returns the file extension, without a dot. */
    public String extension() {
        return extension;
    }

    /** Returns a method's name as it is written in a declaration or call. */
    abstract String name(String name);

    /** Returns a line within a multi-line string. */
    abstract String text(String line);

    abstract String parameter(String annotations, String type, String name);

    /** Returns an array of annotation values. */
    public abstract String array(List<String> items);

    /** Returns a class literal in an annotation. */
    public abstract String classLiteral(Class<?> type);

    /** Returns an annotation within another annotation. */
    public abstract String nested(String annotation);

    /** Returns the beginning of the lambda that is run. */
    abstract String lambda(String parameter);

    /** Returns the first line of a method without result. */
    abstract String head(String name, String parameters);

    /** Returns a string literal of one line. */
    public String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Returns the end of a statement. */
    String end() {
        return end;
    }

    /** Returns a string literal of several lines. */
    String block(List<String> lines, String indentation) {
        return lines.stream()
                .map(line -> indentation + text(line) + "\n")
                .collect(Collectors.joining("", quotes + "\n", indentation + quotes));
    }
}
