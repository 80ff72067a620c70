// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.VerbMatch.verb;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

// rule post-verb-errno
/**
 * Whichever verb of a composite fails, the program gets the failure, everything that it received can be closed, nothing is
 * left, and no stage waits.
 */
@Tag("judge")
class ComposedVerbsTest {
    /** The errors of a host without resources, of an adapter that does not respond, and of a busy object. */
    private static final List<Errno> ERRNOS = List.of(Errno.ENOMEM, Errno.EAGAIN, Errno.EIO, Errno.EBUSY);

    private static final int MAX_VERBS = 200;
    private static final Duration REST = Duration.ofSeconds(60);

    static Stream<Arguments> programs() {
        try (World world = World.of(0)) {
            return new Composed(world)
                    .programs().keySet().stream()
                            .flatMap(name -> ERRNOS.stream().map(errno -> Arguments.of(name, errno)));
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aFailureOfAnyOfItsVerbsLeavesNoObjectOpen(String program, Errno errno) {
        int failed = 0;
        while (failed < MAX_VERBS && hasStruck(program, errno, failed + 1)) {
            failed++;
        }
        assertThat(failed)
                .as("verbs of " + program + " that can fail with " + errno)
                .isLessThan(MAX_VERBS);
        if (errno == Errno.ENOMEM) {
            assertThat(failed).isPositive();
        }
    }

    /** True if it has that many verbs that can fail so. */
    private static boolean hasStruck(String program, Errno errno, int nth) {
        String which = program + ", its verb number " + nth;
        try (World world = World.of(nth)) {
            Composed composed = new Composed(world);
            String before = world.network().leaks().toString();
            List<List<FreeMemory>> memory = memory(world);
            world.faults().on(verb()).nth(nth).fail(errno);
            Optional<VerbsException> told = refusal(() ->
                    Objects.requireNonNull(composed.programs().get(program)).run());
            List<FiredFault> firings = world.faults().firings();
            assertThat(told.isPresent() || isToldLater(firings))
                    .as(which + ": is told, " + firings)
                    .isEqualTo(!firings.isEmpty());
            closeAll(world, composed, which);
            assertThat(world.runToQuiet(REST)).as(which + ": comes to rest").isTrue();
            assertThat(world.network().leaks())
                    .as(which + ": " + world.faults().firings())
                    .hasToString(before);
            assertThat(memory(world)).as(which + ": its host's memory").isEqualTo(memory);
            return world.faults().hasStruck(0);
        }
    }

    /** If an endpoint cannot repost a buffer, the next call reports it. */
    private static boolean isToldLater(List<FiredFault> firings) {
        return firings.stream().anyMatch(firing -> firing.what().startsWith("post_srq_recv"));
    }

    /** Closes again what refuses to be closed the first time. */
    private static void closeAll(World world, Composed composed, String which) {
        while (!composed.given().isEmpty()) {
            Supplier<CompletionStage<Void>> close = composed.given().pop();
            Optional<VerbsException> refused = refusal(() -> world.await(close.get()));
            if (refused.isPresent()) {
                assertThat(world.faults().hasStruck(0))
                        .as(which + ": " + refused)
                        .isTrue();
                assertThat(refusal(() -> world.await(close.get())))
                        .as(which + ": closed again")
                        .isEmpty();
            }
        }
    }

    private static List<List<FreeMemory>> memory(World world) {
        return world.network().adapters().stream()
                .map(adapter -> adapter.freeMemory())
                .toList();
    }

    private static Optional<VerbsException> refusal(Runnable program) {
        try {
            program.run();
            return Optional.empty();
        } catch (VerbsException refused) {
            return Optional.of(refused);
        } catch (CompletionException wrapped) {
            throw new AssertionError("no refusal of a verb", wrapped);
        }
    }
}
