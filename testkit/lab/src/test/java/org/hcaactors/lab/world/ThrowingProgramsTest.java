// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.FabricWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

// rule completion-subscriber-throws
/** An exception of a program's subscriber or handler is not lost: the world throws it, unless its test permits it. */
class ThrowingProgramsTest {
    private static final class ProgramException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final World world = World.of(2);
    private final Adapter b = world.adapter(
            "b", Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY)));
    private final DeviceContext context = b.process("app").open();
    private final CompletionChannel channel = world.await(context.createChannel());
    private final Waiter waiter = world.await(b.process("app").startWaiter());
    private final CompletionQueue cq = world.await(
            context.createCq(CqDescription.of(64).withChannel(channel).withWaiter(waiter)));
    private final CompletionQueue plain =
            world.await(context.createCq(CqDescription.of(64).withChannel(channel)));
    private final QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
            world.adapter("a").process("app").open().allocatePd(), QpDescription.rc(),
            context.allocatePd(), QpDescription.rc().withSendCq(plain).withRecvCq(cq)));

    @AfterEach
    void close() {
        world.close();
    }

    private static <T> Flow.Subscriber<T> throwing() {
        return Subscribers.forEach(
                element -> {
                    throw new ProgramException();
                },
                error -> {});
    }

    private void message() {
        pair.remote().postReceive(Receive.of(1));
        world.await(pair.local().submit(Send.of(1)));
        world.runFor(Duration.ofMillis(1));
    }

    /** Every event source, with an action that makes it emit. */
    private enum Listens {
        TO_COMPLETIONS(test -> test.cq.completions().subscribe(throwing())),
        TO_COMPLETIONS_ON_THE_ADAPTERS_THREAD(
                test -> test.cq.completions(Delivery.ADAPTER_THREAD).subscribe(throwing())),
        AS_A_READER(test -> test.cq.forEachCompletion(cursor -> {
            throw new ProgramException();
        })),
        AS_A_READER_ON_THE_ADAPTERS_THREAD(test -> test.cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> {
            throw new ProgramException();
        })),
        AS_A_THREAD(test -> {
            test.waiter.wakeups().subscribe(throwing());
            test.cq.arm(CompletionQueue.Arm.ANY);
        }),
        TO_A_CHANNEL(test -> {
            test.channel.wakeups().subscribe(throwing());
            test.plain.arm(CompletionQueue.Arm.ANY);
            test.pair.remote().submit(Send.of(2));
            test.pair.local().postReceive(Receive.of(2));
        }),
        TO_WHAT_A_DEVICE_REPORTS(test -> {
            test.context.asyncEvents().subscribe(throwing());
            test.world.faults().now().unplug(test.b, Duration.ofNanos(10));
        }),
        TO_THE_FABRIC(test -> {
            FabricWatch watch = test.world.network().watch(10);
            watch.events().subscribe(throwing());
        });

        private final Consumer<ThrowingProgramsTest> begin;

        Listens(Consumer<ThrowingProgramsTest> begin) {
            this.begin = begin;
        }
    }

    static Stream<Listens> listeners() {
        return Stream.of(Listens.values());
    }

    @ParameterizedTest
    @MethodSource("listeners")
    void anExceptionOfAProgramIsRethrownByTheWorld(Listens listener) {
        listener.begin.accept(this);
        assertThatThrownBy(this::message).isInstanceOf(ProgramException.class);
        assertThat(world.violation()).as("it is the program's").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("listeners")
    void aTestMayAllowThatAProgramThrows(Listens listener) {
        world.allowExceptions(ProgramException.class);
        listener.begin.accept(this);
        message();
        message();
    }

    @Test
    void onlyAllowedExceptionsMayBeThrown() {
        world.allowExceptions(IllegalStateException.class);
        cq.completions().subscribe(throwing());
        assertThatThrownBy(this::message).isInstanceOf(ProgramException.class);
    }

    @Test
    void aFailedAssertionInASubscriberFailsTheRun() {
        List<Integer> heard = new ArrayList<>();
        cq.completions().subscribe(Subscribers.forEach(done -> {
            heard.add(1);
            assertThat(done.isSuccess()).as("which one").isFalse();
        }));
        assertThatThrownBy(this::message).isInstanceOf(AssertionError.class).hasMessageContaining("which one");
        assertThat(heard).hasSize(1);
    }
}
