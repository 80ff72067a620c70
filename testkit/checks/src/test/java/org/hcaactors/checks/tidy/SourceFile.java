// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A source file.
 *
 * @param path path from the root of the project, with slashes
 */
public record SourceFile(String path, String text) {
    /** Returns every Java and Kotlin source below {@code root}, by path, without build output. */
    public static List<SourceFile> below(Path root) throws IOException {
        List<SourceFile> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean left = name.equals("target") || name.startsWith(".") && !folder.equals(root);
                return left ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String path = root.relativize(file).toString().replace('\\', '/');
                if (path.endsWith(".java") || path.endsWith(".kt")) {
                    found.add(new SourceFile(path, Files.readString(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(Comparator.comparing(SourceFile::path));
        return List.copyOf(found);
    }

    /** Returns a task of javac that can parse Java sources; it needs no class path. */
    static JavacTask javac(List<SourceFile> sources) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<SourceText> texts = sources.stream().map(SourceText::new).toList();
        return (JavacTask) javac.getTask(null, null, null, List.of("-proc:none"), null, texts);
    }

    /** Returns the syntax trees of Java sources. */
    public static Iterable<? extends CompilationUnitTree> parsed(List<SourceFile> sources) throws IOException {
        return javac(sources).parse();
    }

    public boolean isMain() {
        return path.contains("/src/main/");
    }

    public boolean isJava() {
        return path.endsWith(".java");
    }

    /** The folder of its Maven module, from the root. */
    String module() {
        return path.substring(0, path.indexOf("/src/"));
    }

    /** The top-level type that stands in it. */
    public String simpleName() {
        return path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
    }

    /** Returns the number of lines, including comments and blank lines. */
    int lines() {
        return (int) text.lines().count();
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(SourceFile source) {
            super(URI.create("mem:///" + source.path()), JavaFileObject.Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
