// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reasons that a failure's message contains. */
class FailureReasonsTest {
    @TempDir
    private Path folder;

    private String message(RdmaTests.Program program) {
        Map<String, String> said = Map.of(RunProperties.FOLDER, folder.toString(), RunProperties.SHRINK, "0");
        RdmaFailure failure = catchThrowableOfType(
                RdmaFailure.class,
                () -> RdmaTests.seeds(1).run(program, new RunProperties(name -> Optional.ofNullable(said.get(name)))));
        return String.valueOf(failure.getMessage());
    }

    private static RdmaWrite write(ConnectedPair pair) {
        return RdmaWrite.of(7, pair.a().slice(0, 64), pair.b().remote(0));
    }

    private static ConnectedPair pair(World world) {
        return world.connect(world.adapter("a"), world.adapter("b"));
    }

    @Test
    void aRequestRecentlyPostedIsNoReason() {
        String told = message(world -> {
            ConnectedPair pair = pair(world);
            pair.a().qp().submit(write(pair));
            world.runFor(Duration.ofNanos(1100));
            throw new AssertionError("too early");
        });
        assertThat(told).startsWith("too early").doesNotContain("why ");
    }

    @Test
    void aRequestOutstandingForLongIsAReason() {
        String told = message(world -> {
            ConnectedPair pair = pair(world);
            world.faults().on(packet().ack()).drop();
            pair.a().qp().submit(write(pair));
            world.runFor(Duration.ofMillis(100));
            throw new AssertionError("too late");
        });
        assertThat(told).contains("why       request 7 of a/").contains("has no completion");
    }

    @Test
    void unpolledCompletionsAreAReason() {
        String told = message(world -> {
            ConnectedPair pair = pair(world);
            pair.b().postReceive(Receive.of(1, pair.b().slice(0, 64)));
            world.await(pair.a().qp().submit(Send.of(7, pair.a().slice(0, 64))));
            world.runToQuiet(Duration.ofSeconds(1));
            throw new AssertionError("nobody polled");
        });
        assertThat(told).contains("holds 1 unpolled completion");
    }

    /** Sends one message of each number, and nothing else. */
    private static void sends(World world, int... numbers) {
        ConnectedPair pair = pair(world);
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(each -> {}));
        for (int number : numbers) {
            pair.b().postReceive(Receive.of(number, pair.b().slice(0, 64)));
            pair.a().memory().writeLong(0, number);
            world.await(pair.a().qp().submit(Send.of(number, pair.a().slice(0, 8))));
            world.runToQuiet(Duration.ofSeconds(1));
        }
        throw new AssertionError("balance");
    }

    @Test
    void aRepeatedMessageIsReported() {
        String told = message(world -> sends(world, 1, 2, 3, 2, 4));
        assertThat(told)
                .containsPattern(
                        "again     request 2 of a/qp\\d+ \\(SEND 8 bytes\\), posted at [0-9.]+ us and received at"
                                + " [0-9.]+ us, was posted again at [0-9.]+ us, with the same bytes\n");
    }

    @Test
    void equalMessagesAreNotReportedAsRepeated() {
        String told = message(world -> sends(world, 1, 1, 1, 1));
        assertThat(told).doesNotContain("posted again");
    }
}
