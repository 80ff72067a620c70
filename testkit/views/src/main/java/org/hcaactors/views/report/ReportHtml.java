// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The HTML file: template, styles, scripts and data. */
final class ReportHtml {
    /** In the order of their dependencies. */
    private static final List<String> SCRIPTS = List.of(
            "trace.js",
            "query.js",
            "spans.js",
            "palette.js",
            "lanes.js",
            "rows.js",
            "words.js",
            "arrows.js",
            "ladder.js",
            "census.js",
            "overview.js",
            "packet.js",
            "why.js",
            "list.js",
            "failure.js",
            "requests.js",
            "strips.js",
            "about.js",
            "keys.js",
            "main.js");

    /** uPlot draws the queue depths: axes, cursor, zoom. */
    private static final String PLOT = "org.webjars.npm/uplot";

    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private ReportHtml() {}

    /**
     * Returns the page.
     *
     * @param scenes data of the runs that it shows, by name
     */
    static String of(String title, Map<String, ? extends JsonNode> scenes) {
        return of(title, "", scenes);
    }

    /** Returns the page of a failed test. */
    static String of(FailedTest test, Map<String, ? extends JsonNode> scenes) {
        String failure = "<script type=\"application/json\" id=\"failed-test\">%s</script>\n"
                .formatted(data(test.toJson(scenes)));
        return of(test.name() + " failed", failure, scenes);
    }

    private static String of(String title, String failure, Map<String, ? extends JsonNode> scenes) {
        String styles = plot("dist/uPlot.min.css") + resource("report.css");
        String library = "/*!\n" + plot("LICENSE") + "*/\n" + plot("dist/uPlot.iife.min.js");
        String scripts = SCRIPTS.stream()
                .map(ReportHtml::resource)
                .collect(Collectors.joining("\n", "'use strict';\n(() => {\n", "\n})();\n"));
        Map<String, String> parts = Map.of(
                "policy",
                policy(List.of(library, scripts), styles),
                "title",
                escaped(StringTable.plain(title)),
                "styles",
                styles,
                "library",
                library,
                "scripts",
                scripts,
                "runs",
                failure + runs(scenes));
        return PLACE.matcher(resource("report.html"))
                .replaceAll(place -> Matcher.quoteReplacement(parts.get(place.group(1))));
    }

    /** Returns the content security policy: nothing is loaded, and only these scripts run. */
    private static String policy(List<String> scripts, String styles) {
        return "default-src 'none'; script-src "
                + scripts.stream().map(ReportHtml::hash).collect(Collectors.joining(" ")) + "; style-src "
                + hash(styles)
                + "; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException none) {
            throw new IllegalStateException("the Java runtime has no SHA-256", none);
        }
    }

    private static String runs(Map<String, ? extends JsonNode> scenes) {
        return scenes.entrySet().stream()
                .map(run -> "<script type=\"application/json\" class=\"run\" data-run=\"%s\">%s</script>"
                        .formatted(escaped(run.getKey()), data(run.getValue())))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Escapes the data. In JSON these characters occur only in strings, where their escapes mean the same; so no string can end
     * its script element.
     */
    private static String data(JsonNode scene) {
        return scene.toString()
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String plot(String file) {
        // The file is in another jar: in a module, a class finds only resources of its own module, but its class loader
        // finds
        // all.
        ClassLoader jars = ReportHtml.class.getClassLoader();
        Properties pom = new Properties();
        try {
            pom.load(new StringReader(text(jars::getResourceAsStream, "META-INF/maven/" + PLOT + "/pom.properties")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        String version = pom.getProperty("version");
        return text(jars::getResourceAsStream, "META-INF/resources/webjars/uplot/" + version + "/" + file);
    }

    private static String resource(String name) {
        return text(ReportHtml.class::getResourceAsStream, name);
    }

    private static String text(Function<String, @Nullable InputStream> place, String name) {
        try (InputStream in = place.apply(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
