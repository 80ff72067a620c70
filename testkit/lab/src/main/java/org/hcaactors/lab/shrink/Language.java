// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The language in which a test is written. */
public enum Language {
    JAVA("java", ";", "\"\"\"") {
        @Override
        String name(String name) {
            return name;
        }

        /** A text block reads escapes. */
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

        /** A raw string knows no escapes but reads templates. */
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

    /** The one that a class was compiled from. */
    public static Language of(Class<?> type) {
        boolean kotlin = Arrays.stream(type.getAnnotations())
                .anyMatch(mark -> mark.annotationType().getName().equals(KOTLINS_MARK));
        return kotlin ? KOTLIN : JAVA;
    }

    /** Of its files, without dot. */
    public String extension() {
        return extension;
    }

    /** A method's name as it is written where it is declared or called. */
    abstract String name(String name);

    /** A line inside of a text of several lines. */
    abstract String text(String line);

    abstract String parameter(String annotations, String type, String name);

    /** Values of an annotation. */
    public abstract String array(List<String> items);

    /** In an annotation. */
    public abstract String classLiteral(Class<?> type);

    /** An annotation inside of another. */
    public abstract String nested(String annotation);

    /** The beginning of what is run. */
    abstract String lambda(String parameter);

    /** The first line of a method that returns nothing. */
    abstract String head(String name, String parameters);

    /** A text of one line in its quotes. */
    public String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** What ends a statement. */
    String end() {
        return end;
    }

    /** A text of several lines. */
    String block(List<String> lines, String indentation) {
        return lines.stream()
                .map(line -> indentation + text(line) + "\n")
                .collect(Collectors.joining("", quotes + "\n", indentation + quotes));
    }
}
