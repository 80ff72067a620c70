// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * A POM of this project.
 *
 * @param directory from the root of the project
 * @param text all of it
 * @param artifact its own
 * @param dependencies its own dependencies, without the managed ones
 */
record Pom(Path directory, String text, String artifact, List<Dependency> dependencies) {
    static final Path ROOT = Path.of("../..");

    /** What is no module of Maven's, and what is built. */
    private static final List<String> NO_MODULES = List.of("src", "target");

    /** A dependency of a POM. */
    record Dependency(String group, String artifact, String scope, boolean optional) {
        boolean isOurs() {
            return group.equals("org.hcaactors");
        }

        /** A user's program has it too. */
        boolean isBrought() {
            return !optional && !scope.equals("test") && !scope.equals("provided");
        }
    }

    /** Those of all modules, wherever they lie, by artifact. */
    static List<Pom> all() {
        List<Pom> all = new ArrayList<>();
        collect(ROOT, all);
        return List.copyOf(all);
    }

    private static void collect(Path directory, List<Pom> all) {
        Path pom = directory.resolve("pom.xml");
        if (Files.exists(pom)) {
            all.add(read(directory, pom));
        }
        try (Stream<Path> inside = Files.list(directory)) {
            inside.filter(Files::isDirectory)
                    .filter(each -> !NO_MODULES.contains(each.getFileName().toString()))
                    .filter(each -> !each.getFileName().toString().startsWith("."))
                    .sorted()
                    .forEach(each -> collect(each, all));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Pom read(Path directory, Path pom) {
        try {
            String text = Files.readString(pom);
            Element project = parsed(text).getDocumentElement();
            List<Dependency> dependencies = child(project, "dependencies").stream()
                    .flatMap(Pom::children)
                    .map(Pom::dependency)
                    .toList();
            return new Pom(directory, text, value(project, "artifactId").orElseThrow(), dependencies);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What a text of XML says. */
    static Document parsed(String text) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException | IOException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static Dependency dependency(Element dependency) {
        return new Dependency(
                value(dependency, "groupId").orElseThrow(),
                value(dependency, "artifactId").orElseThrow(),
                value(dependency, "scope").orElse("compile"),
                value(dependency, "optional").filter("true"::equals).isPresent());
    }

    /** The elements right below it. */
    static Stream<Element> children(Element parent) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element) {
                found.add(element);
            }
        }
        return found.stream();
    }

    /** The first of that name right below it. */
    static Optional<Element> child(Element parent, String name) {
        return children(parent).filter(each -> each.getTagName().equals(name)).findFirst();
    }

    private static Optional<String> value(Element parent, String name) {
        return child(parent, name).map(each -> each.getTextContent().strip());
    }

    /** True if the artifact is published with sources; parents and the BOM have none. */
    boolean isPublished() {
        return isJar() && text.contains("<artifactId>maven-source-plugin</artifactId>");
    }

    boolean isJar() {
        return !text.contains("<packaging>pom<");
    }

    /** Of our own artifacts, those that come with it. */
    List<String> ours() {
        return dependencies.stream()
                .filter(each -> each.isOurs() && each.isBrought())
                .map(Dependency::artifact)
                .toList();
    }
}
