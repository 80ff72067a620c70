// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to masked atomics with another size, and requests that arrive more than once. */
class MaskedAnswersTest {
    private final World world = World.of(53);
    private final ConnectedPair pair = world.connect(
            world.network().addAdapter("a", Profile.CONNECTX_5),
            world.network().addAdapter("b", Profile.CONNECTX_5),
            Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxAtomicBytes(32)));

    @AfterEach
    void close() {
        world.close();
    }

    private RcWork add(int bytes) {
        return bytes == 0
                ? FetchAdd.of(1, pair.a().slice(0, 8), pair.b().remote(0), 1)
                : MaskedFetchAdd.of(1, pair.a().slice(0, bytes), pair.b().remote(0), AtomicValue.ones(bytes));
    }

    // rules wire-masked-atomic, rc-bad-response
    /** 0 is a plain atomic. */
    @ParameterizedTest
    @CsvSource({"0, 8", "4, 4", "8, 8", "16, 0", "16, 12", "32, 8", "32, 32"})
    void anAnswerOfAnotherSizeIsABadResponseAndTheBufferStays(int bytes, int rest) {
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_ATOMIC_ACKNOWLEDGE))
                .rewrite(
                        "rest",
                        packet -> packet.withPayload(
                                Octets.copyOf(Arrays.copyOf(packet.payload().toArray(), rest))));
        assertThat(world.await(pair.a().submit(add(bytes))).status()).isEqualTo(Status.BAD_RESP_ERR);
        assertThat(pair.a().memory().read(0, 64)).containsOnly(0);
    }

    // rules rc-duplicate-atomic, memory-atomic
    /** A second execution would find what the first one stored. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void aDuplicateSwapReturnsTheValueOfTheFirst(int bytes) {
        AtomicValue swap = AtomicValue.ones(bytes);
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_MASKED_COMPARE_SWAP))
                .duplicate();
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_ATOMIC_ACKNOWLEDGE))
                .first(2)
                .drop();
        CompletionStage<WorkCompletion> done = pair.a()
                .submit(MaskedCompareAndSwap.of(
                        1, pair.a().slice(0, bytes), pair.b().remote(0), AtomicValue.zeros(bytes), swap));
        world.runFor(Duration.ofSeconds(1));
        assertThat(world.await(done).status()).isEqualTo(Status.SUCCESS);
        assertThat(pair.a().memory().read(0, bytes)).containsOnly(0);
        assertThat(pair.b().memory().read(0, bytes)).containsOnly(-1);
    }
}
