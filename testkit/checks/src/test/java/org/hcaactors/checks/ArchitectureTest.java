// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.api.device.PortAttributes;

/** Architecture rules: which package may depend on which, and what a machine must not use. */
@AnalyzeClasses(packages = "org.hcaactors", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "org.hcaactors.api..";
    private static final String FABRIC = "org.hcaactors.fabric..";
    private static final String[] HCA = {"org.hcaactors.adapter..", "org.hcaactors.actors..", "org.hcaactors.network.."
    };
    private static final String VIEWS = "org.hcaactors.views..";
    private static final String LAB = "org.hcaactors.lab..";
    private static final String JUDGE = "org.hcaactors.judge..";
    private static final String PEKKO = "org.apache.pekko..";

    /** Classes that execute calls which name a path. */
    private static final Set<String> PATHS_ARE_GIVEN_TO = Set.of("DomainHandle", "StateTable", "DcTargetMachine");

    /**
     * Machines: the packages of the module {@code protocol}, and the packets of {@code packet}. Their POMs make sure that they
     * do not depend on Pekko.
     */
    private static final String[] MACHINES = {
        "org.hcaactors.adapter..", "org.hcaactors.fabric.packet..", "org.hcaactors.fabric.wire.."
    };

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(type);
    }

    @ArchTest
    static final ArchRule apiDependsOnTheJdkAlone = classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(API, "java..", "org.jspecify.."));

    @ArchTest
    static final ArchRule fabricDependsOnNoVerbs = noClasses()
            .that()
            .resideInAPackage(FABRIC)
            .should()
            .dependOnClassesThat(
                    resideInAPackage(API).or(resideInAnyPackage(HCA)).or(resideInAnyPackage(VIEWS, LAB, JUDGE)));

    @ArchTest
    static final ArchRule theAdapterDependsOnNoTestkit = noClasses()
            .that()
            .resideInAnyPackage(HCA)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(VIEWS, LAB, JUDGE, "org.hcaactors.cli..", "org.hcaactors.benchmarks.."));

    /**
     * All types of the adapter that other modules use: the public ones, and those for which the testkit substitutes its own.
     */
    private static final DescribedPredicate<JavaClass> IS_SHOWN = resideInAnyPackage(
                    PublicPackages.OF_THE_ADAPTER.toArray(String[]::new))
            .or(describe(
                    "are shown",
                    type -> Set.of(
                                    // Observed or controlled by the testkit: counters, receives, verbs.
                                    "Counter",
                                    "Receives",
                                    "InlineData",
                                    "ReceivesInterceptor",
                                    "VerbGuard",
                                    "LocalMemory",
                                    "Turn",
                                    // Owner of a region.
                                    "DomainKey",
                                    "MappedMemory",
                                    // Start of logging, before a world's own Pekko starts.
                                    "Logging",
                                    // Firmware without an adapter: what one would refuse, before it is made.
                                    "FirmwareImage",
                                    "FirmwareSettings",
                                    // A list of tags without an adapter, which is measured.
                                    "TagMatcher",
                                    "TagEntry",
                                    // Messages between actors that the testkit loses or delays.
                                    "EventQueueActor",
                                    "WaiterActor")
                            .contains(topLevel(type).getSimpleName())));

    @ArchTest
    static final ArchRule othersUseOnlyListedPackagesOfTheAdapter = noClasses()
            .that()
            .resideOutsideOfPackages(HCA)
            // They drive the machines themselves, to compare them with a capture.
            .and(describe(
                    "drive no machine",
                    type -> !Set.of("StandaloneQueuePair", "CmReplay")
                            .contains(topLevel(type).getSimpleName())))
            .should()
            .dependOnClassesThat(resideInAnyPackage(HCA).and(not(IS_SHOWN)));

    @ArchTest
    static final ArchRule theAdaptersPackagesHaveNoCycles =
            slices().matching("org.hcaactors.adapter.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theActorsPackagesHaveNoCycles =
            slices().matching("org.hcaactors.actors.(*)..").should().beFreeOfCycles();

    /** A factory depends on the objects it creates; they depend neither on it nor on each other's factories. */
    @ArchTest
    static final ArchRule theApisPackagesHaveNoCycles =
            slices().matching("org.hcaactors.api.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theFabricsPackagesHaveNoCycles =
            slices().matching("org.hcaactors.fabric.(*)..").should().beFreeOfCycles();

    /** Reading a recorded run needs neither a running adapter nor a world. */
    @ArchTest
    static final ArchRule viewsDependOnTheTraceOnly = classes()
            .that()
            .resideInAPackage(VIEWS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    VIEWS,
                    API,
                    FABRIC,
                    "org.hcaactors.adapter.flow..",
                    "java..",
                    "com.fasterxml.jackson..",
                    "com.google.protobuf..",
                    "org.jspecify.."));

    @ArchTest
    static final ArchRule theViewsPackagesHaveNoCycles =
            slices().matching("org.hcaactors.views.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theLabsPackagesHaveNoCycles =
            slices().matching("org.hcaactors.lab.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theJudgesPackagesHaveNoCycles =
            slices().matching("org.hcaactors.judge.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule machinesUseNoClockThreadOrRandomSource = noClasses()
            .that()
            .resideInAnyPackage(MACHINES)
            .and()
            // Random numbers are passed in; it has no source of its own.
            .doNotHaveFullyQualifiedName(FirstNumbers.class.getName())
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat(describe(
                    "are clocks, threads or chance",
                    type -> Set.of(
                                    "java.lang.Thread",
                                    "java.time.Clock",
                                    "java.time.Instant",
                                    "java.util.Random",
                                    "java.util.SplittableRandom",
                                    "java.util.random.RandomGenerator",
                                    "java.util.Timer")
                            .contains(type.getName())));

    /** Collections that are iterated must have a fixed order. */
    @ArchTest
    static final ArchRule noCodeIteratesOverAnUnorderedCollection = noClasses()
            .that()
            .resideInAnyPackage("org.hcaactors.adapter..", "org.hcaactors.actors..", "org.hcaactors.network..", FABRIC)
            .should()
            .dependOnClassesThat(describe(
                    "are unordered collections",
                    type -> Set.of(
                                    "java.util.HashMap",
                                    "java.util.HashSet",
                                    "java.util.IdentityHashMap",
                                    "java.util.WeakHashMap",
                                    "java.util.Hashtable",
                                    "java.util.concurrent.ConcurrentHashMap")
                            .contains(type.getName())));

    /** Placement asks Pekko's replicator and its own entities on other nodes, whose answers may get lost: no adapter is asked. */
    @ArchTest
    static final ArchRule noCodeUsesTheAskOrPipePattern = noClasses()
            .that()
            .resideOutsideOfPackage("org.hcaactors.placement..")
            .should()
            .dependOnClassesThat(describe(
                    "are ask patterns",
                    type -> type.getName().contains("AskPattern")
                            || type.getName().equals("org.apache.pekko.pattern.Patterns")))
            .orShould()
            .callMethodWhere(describe(
                    "is ask or pipeToSelf",
                    call -> call.getTargetOwner().getName().startsWith("org.apache.pekko")
                            && Set.of("ask", "askWithStatus", "pipeToSelf").contains(call.getName())));

    @ArchTest
    static final ArchRule theClockIsReadInOnePlace = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.hcaactors.api..",
                    "org.hcaactors.adapter..",
                    "org.hcaactors.actors..",
                    FABRIC,
                    VIEWS,
                    LAB,
                    JUDGE)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    // rule qp-source-by-index
    /** A verb checks the tables when it is called; later, a missing entry loses packets and is not an exception. */
    @ArchTest
    static final ArchRule onlyVerbsUseTheThrowingLookUpsOfAPort = noClasses()
            .that()
            .resideInAnyPackage("org.hcaactors.adapter..", "org.hcaactors.actors..")
            .and()
            .doNotHaveFullyQualifiedName(DatagramPath.class.getName())
            .should()
            .callMethodWhere(describe(
                    "refuses an index of a port's table",
                    call -> call.getTargetOwner().isEquivalentTo(PortAttributes.class)
                            && Set.of("gid", "pkey", "pkeyIndex").contains(call.getName())))
            .orShould()
            .callMethodWhere(describe(
                    "looks at a path, outside of the calls that are given one",
                    call -> call.getTargetOwner().isEquivalentTo(DatagramPath.class)
                            && Set.of("of", "checked").contains(call.getName())
                            && !PATHS_ARE_GIVEN_TO.contains(
                                    call.getOriginOwner().getSimpleName())));

    @ArchTest
    static final ArchRule noStaticFieldIsMutable =
            noFields().that().areStatic().should().notBeFinal();

    @ArchTest
    static final ArchRule noPackageOrTypeHasAnEmptyName = noClasses()
            .should()
            .resideInAnyPackage("..util..", "..impl..", "..common..", "..helper..", "..manager..")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveSimpleNameEndingWith("Manager");
}
