// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.hcaactors.checks.SourceCode;
import org.hcaactors.checks.tidy.SourceFile;
import org.jspecify.annotations.Nullable;

/**
 * Types that Java and Kotlin sources declare, and the members of each, by simple names. A Kotlin file with its functions, and an
 * event of Flight Recorder under the name that it has there, are such types too.
 */
final class DeclaredNames {
    private static final String RECEIVER = "(?:<[^>]*>\\s*)?(?:(?<receiver>\\w+)(?:<[^>]*>)?\\??\\.)?";
    private static final Pattern KOTLIN = Pattern.compile("\\b(?:(?:class|interface|object|typealias) (?<type>\\w+)"
            + "|(?:fun|va[lr]) " + RECEIVER + "`?(?<member>\\w+))");
    private static final Pattern FLIGHT_EVENT = Pattern.compile("@Name\\(\"org\\.hcaactors\\.(?<name>\\w+)\"\\)");

    /** Types of one simple name. */
    private record Declared(Set<String> members, Set<String> supertypes) {
        Declared() {
            this(new HashSet<>(), new HashSet<>());
        }
    }

    private final Map<String, Declared> types = new HashMap<>();
    private final Set<String> methods = new HashSet<>();

    private DeclaredNames() {}

    static DeclaredNames of(List<SourceFile> sources) throws IOException {
        DeclaredNames names = new DeclaredNames();
        sources.stream().filter(source -> !source.isJava()).forEach(names::kotlin);
        names.java(sources, true);
        names.java(sources, false);
        return names;
    }

    private void java(List<SourceFile> sources, boolean areMain) throws IOException {
        List<SourceFile> chosen = sources.stream()
                .filter(source -> source.isJava() && source.isMain() == areMain)
                .toList();
        new Java(areMain).scan(SourceFile.parsed(chosen), null);
    }

    private void kotlin(SourceFile source) {
        Declared file = type(source.simpleName());
        file.members.add("kt");
        Declared around = file;
        Matcher found = KOTLIN.matcher(SourceCode.of(source.text()));
        while (found.find()) {
            if (found.group("type") != null) {
                around.members.add(found.group("type"));
                around = type(found.group("type"));
            } else {
                Declared owner = found.group("receiver") == null ? around : type(found.group("receiver"));
                owner.members.add(found.group("member"));
                methods.add(found.group("member"));
            }
        }
    }

    private Declared type(String name) {
        return types.computeIfAbsent(name, absent -> new Declared());
    }

    boolean hasType(String name) {
        return types.containsKey(name);
    }

    /** True if a type that is no test has such a method, which is not private, or such a component. */
    boolean hasMethod(String name) {
        return methods.contains(name);
    }

    /** True if any type has such a member, also a private one or one of a test. */
    boolean hasMember(String name) {
        return types.values().stream().anyMatch(type -> type.members.contains(name));
    }

    /** True if the type declares the member, or inherits it from another type of the sources. */
    boolean hasMember(String type, String member) {
        Declared declared = types.get(type);
        return declared != null
                && (declared.members.contains(member)
                        || declared.supertypes.stream().anyMatch(each -> hasMember(each, member)));
    }

    /** Returns the type and all its supertypes. */
    Set<String> withSupertypes(String type) {
        Set<String> all = new HashSet<>(Set.of(type));
        Declared declared = types.get(type);
        if (declared != null) {
            declared.supertypes.forEach(each -> all.addAll(withSupertypes(each)));
        }
        return all;
    }

    /** True if the name of a type matches. */
    boolean hasTypeLike(Pattern name) {
        return types.keySet().stream().anyMatch(type -> name.matcher(type).matches());
    }

    private final class Java extends TreeScanner<@Nullable Void, @Nullable Declared> {
        private final boolean areMain;

        Java(boolean areMain) {
            this.areMain = areMain;
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Declared around) {
            String name = tree.getSimpleName().toString();
            if (name.isEmpty()) {
                return super.visitClass(tree, around);
            }
            if (around != null) {
                around.members.add(name);
            }
            tree.getModifiers().getAnnotations().stream()
                    .map(annotation -> FLIGHT_EVENT.matcher(annotation.toString()))
                    .filter(Matcher::matches)
                    .forEach(event -> type(event.group("name")));
            Declared type = type(name);
            tree.getImplementsClause().forEach(each -> type.supertypes.add(simple(each)));
            if (tree.getExtendsClause() != null) {
                type.supertypes.add(simple(tree.getExtendsClause()));
            }
            switch (tree.getKind()) {
                case ENUM -> type.supertypes.add("Enum");
                case RECORD -> type.supertypes.add("Record");
                default -> type.supertypes.add("Object");
            }
            type.supertypes.remove(name);
            return super.visitClass(tree, type);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Declared around) {
            String name = tree.getName().toString();
            if (around != null) {
                around.members.add(name);
            }
            if (areMain && !tree.getModifiers().getFlags().contains(Modifier.PRIVATE)) {
                methods.add(name);
            }
            return super.visitMethod(tree, null);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Declared around) {
            String name = tree.getName().toString();
            if (around != null) {
                around.members.add(name);
                if (areMain && around.supertypes.contains("Record")) {
                    methods.add(name);
                }
            }
            return super.visitVariable(tree, null);
        }

        private static String simple(Tree type) {
            return type.toString().replaceAll("<.*|@\\w+ ", "").replaceAll(".*\\.", "");
        }
    }
}
