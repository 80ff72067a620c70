// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.NodeResult;
import org.hcaactors.lab.nodes.SeedEndText;
import org.hcaactors.lab.nodes.SeedNodes;
import org.hcaactors.lab.nodes.SeedReport;
import org.hcaactors.lab.nodes.TestSeeds;
import org.hcaactors.lab.seeds.RunProperties;
import org.hcaactors.lab.seeds.SeedRun;
import org.hcaactors.lab.seeds.SeedTally;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.opentest4j.TestAbortedException;

/**
 * Seeds of a test that other JVMs run. This JVM counts them in their order, as if it had run them, and runs those that failed there
 * itself: so shrinking, reports, pictures and the exception are those of a test in one JVM.
 */
final class Elsewhere {
    private static final Namespace SPACE = Namespace.create(Elsewhere.class);

    /** The JVMs of all tests; JUnit closes them after the last test. */
    private record Nodes(SeedNodes nodes) implements AutoCloseable {
        @Override
        public void close() {
            nodes.close();
        }
    }

    private Elsewhere() {}

    /**
     * Hands out the seeds.
     *
     * @param jvms number of other JVMs of this machine
     * @param listen address at which other JVMs join
     * @throws ExtensionConfigurationException if they cannot be started
     */
    static TestSeeds of(ExtensionContext template, int jvms, Optional<HostPort> listen, String name, List<Long> seeds) {
        Nodes nodes = template.getRoot()
                .getStore(SPACE)
                .getOrComputeIfAbsent(Nodes.class, absent -> new Nodes(start(jvms, listen)), Nodes.class);
        TestSeeds handedOut = nodes.nodes.open(template.getUniqueId(), name, seeds);
        template.getStore(SPACE).put(TestSeeds.class, handedOut);
        return handedOut;
    }

    private static SeedNodes start(int number, Optional<HostPort> listen) {
        String words = RunProperties.NODES + " = " + number + ": ";
        if (!SeedNodes.isLauncherThere()) {
            throw new ExtensionConfigurationException(words
                    + "other JVMs run tests by JUnit's launcher, which the class path of the tests does not have;"
                    + " the dependency org.junit.platform:junit-platform-launcher is required");
        }
        if (RdmaExtension.class.getModule().isNamed()) {
            throw new ExtensionConfigurationException(words
                    + "other JVMs run tests from a class path, and these tests run from a module path;"
                    + " <useModulePath>false</useModulePath> of Surefire is required");
        }
        try {
            return SeedNodes.start(number, listen);
        } catch (IOException refused) {
            throw new ExtensionConfigurationException(
                    words + "a JVM cannot be started, or none can join"
                            + listen.map(address -> " at " + address).orElse("") + ": " + refused.getMessage(),
                    refused);
        }
    }

    /** Waits for the result of a seed, unless enough seeds have failed. */
    static void await(long seed, SeedTally tally, TestSeeds elsewhere, ExtensionContext context)
            throws InterruptedException {
        if (tally.failures() >= SeedRun.ENOUGH) {
            elsewhere.close();
        } else {
            context.getStore(SPACE).put(NodeResult.class, elsewhere.await(seed));
        }
    }

    private static NodeResult result(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(SPACE).get(NodeResult.class, NodeResult.class))
                .orElse(new NodeResult.NotRun());
    }

    /** True if this JVM does not run the seed. */
    static boolean hasRun(ExtensionContext context) {
        return switch (result(context)) {
            case NodeResult.Ended ended -> true;
            case NodeResult.EndsJvms suspected -> true;
            case NodeResult.Failed failed -> false;
            case NodeResult.NotRun absent -> false;
        };
    }

    /** Calls a method of the test's class, unless this JVM does not run the seed. */
    static void unlessRun(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        if (hasRun(context)) {
            invocation.skip();
        } else {
            invocation.proceed();
        }
    }

    /**
     * Counts a seed that this JVM does not run.
     *
     * @throws AssertionError if JVMs ended while they ran it
     * @throws TestAbortedException if it aborted
     */
    static void count(SeedTally tally, ExtensionContext context) {
        switch (result(context)) {
            case NodeResult.Ended(var end) -> {
                tally.add(end);
                if (end.end() == SeedTally.End.ABORTED) {
                    throw new TestAbortedException("aborted in another JVM");
                }
            }
            case NodeResult.EndsJvms suspected -> {
                tally.lost();
                throw failure(suspected.text());
            }
            case NodeResult.Failed failed -> {}
            case NodeResult.NotRun absent -> {}
        }
    }

    /**
     * Compares a seed that has ended here with its run in another JVM; in a JVM that runs seeds for another one, reports the end.
     *
     * @throws AssertionError if the seed failed there only
     */
    static void end(SeedTally tally, ExtensionContext context) {
        if (result(context) instanceof NodeResult.Failed(String node, String text)
                && context.getExecutionException().isEmpty()) {
            tally.failedAtItsEnd();
            throw failure("failed in " + node
                    + ", and not when it was run again here, so it depends on more than its seed: " + text);
        }
        if (RdmaExtension.properties(context).seedsOfNode().isPresent()) {
            tally.newest().ifPresent(end -> context.publishReportEntry(Map.of(SeedReport.KEY, SeedEndText.of(end))));
        }
    }

    private static AssertionError failure(String text) {
        AssertionError failure = new AssertionError(text);
        failure.setStackTrace(new StackTraceElement[0]); // No line of code is to blame.
        return failure;
    }
}
