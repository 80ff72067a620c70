// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Size of a method, by javac's parser.
 *
 * @param method simple name of its type, a dot, its own name
 * @param lines lines from its first annotation or modifier to its closing brace, including comments
 */
record MethodSize(String method, int lines) {
    /** Returns every method and constructor with a body, in the order of the sources. */
    static List<MethodSize> in(List<SourceFile> sources) throws IOException {
        JavacTask task = SourceFile.javac(sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<MethodSize> sizes = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new Finder(unit, positions, sizes).scan(unit, null);
        }
        return sizes;
    }

    private static final class Finder extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<MethodSize> sizes;
        private String type = "";

        Finder(CompilationUnitTree unit, SourcePositions positions, List<MethodSize> sizes) {
            this.unit = unit;
            this.positions = positions;
            this.sizes = sizes;
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
            String outer = type;
            if (!tree.getSimpleName().isEmpty()) {
                type = tree.getSimpleName().toString();
            }
            super.visitClass(tree, nothing);
            type = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void nothing) {
            if (tree.getBody() != null) {
                String name = tree.getName().contentEquals("<init>")
                        ? "new"
                        : tree.getName().toString();
                LineMap map = unit.getLineMap();
                long first = map.getLineNumber(positions.getStartPosition(unit, tree));
                long last = map.getLineNumber(positions.getEndPosition(unit, tree) - 1);
                sizes.add(new MethodSize(type + "." + name, (int) (last - first + 1)));
            }
            return super.visitMethod(tree, nothing);
        }
    }
}
