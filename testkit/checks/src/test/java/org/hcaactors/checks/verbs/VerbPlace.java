// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import static java.util.stream.Collectors.toSet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.fault.Condition;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;

/**
 * A place where a verb must appear that javac does not check: the place, what to add there, and how its presence is detected.
 */
enum VerbPlace {
    COMPLETION_KIND(
            "api/src/main/java/org/hcaactors/api/completion/CompletionKind.java",
            "a constant of its own, which Posted.kindOf gives",
            verb -> VerbKind.all().stream()
                            .filter(each -> each.kind() == verb.kind())
                            .count()
                    == 1),

    CAPABILITY(
            "api/src/main/java/org/hcaactors/api/capability",
            "a capability that says whether an adapter has it, with {@link %1$s} in its Javadoc; `hca devinfo` and"
                    + " RequestChecks, which refuses it at post, read it",
            verb -> Sources.of("api/src/main/java/org/hcaactors/api/capability")
                    .mention("\\{@link[\\s*]+[\\w.]*\\b" + verb.name() + "\\b")),

    OPERATION(
            "fabric/packet/src/main/java/org/hcaactors/fabric/packet/Operation.java",
            "a constant whose name begins with %2$s",
            verb -> !verb.operations().isEmpty()),

    OPCODES(
            "fabric/packet/src/main/java/org/hcaactors/fabric/packet/Opcode.java",
            "a row of %2$s for each transport whose marker interface it has, with its headers",
            verb -> verb.transports().stream()
                    .allMatch(transport -> Arrays.stream(Opcode.values())
                            .anyMatch(opcode -> opcode.transport().name().equals(transport.name())
                                    && verb.operations().contains(opcode.operation())))),

    WIRESHARK(
            "testkit/wireshark/hca-actors.lua",
            "a row of each of its operations, for what Wireshark does not know of XRC and DC",
            verb -> verb.operations().stream()
                    .allMatch(operation ->
                            // Behind "--" is a comment.
                            Sources.of("testkit/wireshark/hca-actors.lua")
                                    .mention("(?m)^(?:(?!--).)*\"" + operation.name() + '"'))),

    FAULTS(
            "testkit/faults/src/main/java/org/hcaactors/lab/fault/PacketMatch.java",
            "a method for the family of its packets, as atomic() is",
            verb -> verb.operations().stream().map(Operation::family).anyMatch(meant()::contains)),

    COUNTER(
            "hca-actors/protocol/src/main/java/org/hcaactors/adapter/counter/Counter.java",
            "RX_..._REQUESTS of the family of its packets, counted by its target",
            verb -> verb.operations().stream()
                    .map(Operation::family)
                    .anyMatch(family -> Arrays.stream(Counter.values())
                            .anyMatch(counter -> counter.name().equals("RX_" + family + "_REQUESTS")))),

    RECORDED(
            "testkit/views/src/main/java/org/hcaactors/views/rlog/ValueFields.java and ValueJson.java",
            "its fields, and its type among the subtypes; else a recorded run can't be read",
            VerbPlace::isReadAsWritten),

    LADDER(
            "testkit/views/src/main/java/org/hcaactors/views/flow/Wording.java",
            "a word that no other verb has",
            verb -> VerbKind.all().stream()
                            .filter(each -> word(each).equals(word(verb)))
                            .count()
                    == 1),

    SCENARIO(
            "testkit/scenario/src/main/java/org/hcaactors/lab/scenario/Scenario.java",
            "a constant of Verb, its key in ScenarioReader.job, and what is posted in Wired",
            verb -> requests(Scenario.Verb.class).contains(verb.type())),

    SCENARIO_PAGE(
            "docs/guide/writing-scenarios.md",
            "its key, between backticks",
            verb -> Arrays.stream(Scenario.Verb.values())
                    .filter(each -> request(each) == verb.type())
                    .allMatch(each -> Sources.of("docs/guide/writing-scenarios.md")
                            .mention('`' + each.name().toLowerCase(Locale.ROOT).replace('_', '-') + "(?![\\w-])"))),

    PERF(
            "testkit/cli/src/main/java/org/hcaactors/cli/Perf.java",
            "a constant of Verb and its tests, as `hca perf` names them; Volley posts it",
            verb -> requests(type("org.hcaactors.cli.Perf$Verb")).contains(verb.type())),

    DEMO(
            "testkit/cli/src/main/java/org/hcaactors/cli",
            "a step of a *Tour, so that `hca demo` shows it",
            "Tour\\.java"),

    CONFORM(
            "testkit/conform/src/main/java/org/hcaactors/lab/conform",
            "what was posted, told from captured packets (PostedWork), so that `hca conform` plays it"),

    SWEEP("testkit/judge/src/main/java/org/hcaactors/judge/sweep", "a strand that posts it, so that faults meet it"),

    WALK("testkit/judge/src/main/java/org/hcaactors/judge/walk", "a step that posts it, and what comes of it"),

    COVER(
            "testkit/judge/src/test/java/org/hcaactors/judge/cover",
            "a constant of PostedVerb, so that every other feature meets it, and what becomes of it in OutcomeRules"),

    ACCESS(
            "testkit/adapter-tests/src/test/java/org/hcaactors/tests/access",
            "a constant of Use, if it asks for memory in a way of its own; its column in docs/guide/access.md"),

    MACHINES(
            "hca-actors/protocol/src/test/java/org/hcaactors/adapter",
            "facts of the machines that send it, carry it out and answer it",
            "Test\\.java"),

    WORLDS(
            "testkit/adapter-tests/src/test/java/org/hcaactors/tests",
            "a test of two adapters, with faults, in the folder of its feature"),

    RULES(
            "docs/rules",
            "the rules that it follows, one of which calls it %2$s, or its words one behind the other",
            verb -> Sources.of("docs/rules").mention("(?i)\\b" + String.join("[\\W_]+(?:and[\\W_]+)?", verb.words()))),

    VERBS(
            "docs/reference/verbs.md",
            "a row that says what rdma-core calls it, with `%1$s.of(...)`",
            verb -> Sources.of("docs/reference/verbs.md")
                    .mention("(?m)^\\|[^|]*`\\w+`[^|]*\\|[^|]*`" + verb.name() + "\\.of\\([^|]*\\|[^|]*\\|$")),

    CHANGELOG(
            "CHANGELOG.md", "a line", verb -> Sources.of("CHANGELOG.md").mention("`[^`\n]*\\b" + verb.name() + "\\b"));

    private final String where;
    private final String what;
    private final Predicate<VerbKind> has;

    VerbPlace(String where, String what, Predicate<VerbKind> has) {
        this.where = where;
        this.what = what;
        this.has = has;
    }

    /** Creates a place: a folder with files that name the type. */
    VerbPlace(String folder, String what) {
        this(folder, what, "");
    }

    /** Creates a place: files in a folder that end with the given expression and name the type. */
    VerbPlace(String folder, String what, String end) {
        this(folder, what, named(Sources.of(folder, end)));
    }

    private static Predicate<VerbKind> named(Sources where) {
        Sources code = where.code();
        return verb -> code.mention("\\b" + verb.name() + "\\b");
    }

    boolean has(VerbKind verb) {
        return has.test(verb);
    }

    /** Returns an instruction that names the place and what to add. */
    String missing(VerbKind verb) {
        return "%s is not in %s (%s): add %s"
                .formatted(verb.name(), where, this, what.formatted(verb.name(), verb.wireName()));
    }

    private static Set<Operation.Family> meant() {
        return Arrays.stream(PacketMatch.class.getMethods())
                .filter(method -> method.getReturnType() == PacketMatch.class
                        && method.getParameterCount() == 0
                        && !Modifier.isStatic(method.getModifiers()))
                .map(method -> (PacketMatch) Reflected.call(method, PacketMatch.packet()))
                .flatMap(match -> match.conditions().stream())
                .filter(Condition.FamilyIn.class::isInstance)
                .flatMap(condition -> ((Condition.FamilyIn) condition).families().stream())
                .collect(toSet());
    }

    private static boolean isReadAsWritten(VerbKind verb) {
        TraceEvent posted =
                new HcaEvent.WorkPosted(new Stamp(1, 0, 0, 0), "a", Element.queuePair(1), verb.sample(), true);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try {
            RlogWriter.write(Rlog.Header.of("a request"), List.of(posted), 0, file);
            Rlog read = RlogReader.read(new ByteArrayInputStream(file.toByteArray()));
            return read.events().equals(List.of(posted));
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static String word(VerbKind verb) {
        return Wording.of(verb.sample()).split(" ", 2)[0];
    }

    private static Class<?> type(String name) {
        return Reflected.type(name);
    }

    private static Set<Class<?>> requests(Class<?> verbs) {
        return Arrays.stream(verbs.getEnumConstants()).map(VerbPlace::request).collect(toSet());
    }

    /** Returns the request type that a constant posts. */
    private static Class<?> request(Object constant) {
        return (Class<?>) Reflected.field(constant, "request");
    }
}
