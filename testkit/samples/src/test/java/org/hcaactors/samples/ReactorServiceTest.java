// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.samples.TextChannels.allAnswers;
import static org.hcaactors.samples.TextChannels.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.client.service.ChannelEndedException;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A service that streams, in Project Reactor. Without a scheduler its operators run on the thread of the world. */
class ReactorServiceTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Set<Thread> threads = new HashSet<>();
    private final List<Throwable> dropped = new ArrayList<>();
    private final List<CompletableFuture<Void>> served = new ArrayList<>();
    private int produced;
    private int received;

    // docs begin
    static Flux<String> texts(MessageChannel channel) {
        return JdkFlowAdapter.flowPublisherToFlux(channel.messages())
                .map(TextChannels::text)
                .limitRate(16);
    }

    static Mono<Void> send(Flux<String> texts, MessageChannel channel) {
        return texts.flatMap(text -> Mono.fromFuture(channel.send(bytes(text)).toCompletableFuture()), 16)
                .then();
    }
    // docs end

    private void serve(MessageChannel channel) {
        Flux<String> answers = texts(channel)
                .concatMap(request -> Flux.fromStream(() -> TextChannels.answers(request)))
                .doOnNext(answer -> produced++)
                .doOnNext(this::noteThread);
        served.add(send(answers, channel).toFuture());
    }

    private void noteThread(String answer) {
        threads.add(Thread.currentThread());
    }

    private MessageChannel connected(World world) {
        TextChannels.listen(world, this::serve);
        return TextChannels.connected(world, TextChannels.client(world));
    }

    private static CompletableFuture<Void> requested(MessageChannel channel, String... requests) {
        return send(Flux.fromArray(requests), channel).toFuture();
    }

    private static Flux<String> slowly(Flux<String> texts, World world) {
        Scheduler inWorld = Schedulers.fromExecutorService(world.executor());
        return texts.concatMap(text -> Mono.just(text).delayElement(Duration.ofMillis(1), inWorld), 1);
    }

    @BeforeEach
    void recordWhatIsDropped() {
        Hooks.onErrorDropped(dropped::add);
    }

    @AfterEach
    void nothingWasDropped() {
        Hooks.resetOnErrorDropped();
        assertThat(dropped).isEmpty();
    }

    @RdmaTest(seeds = 10, swarm = Swarm.WIRE)
    void eachRequestIsAnsweredWithAStream(World world) {
        MessageChannel channel = connected(world);
        List<String> expected = allAnswers("3", "0", "200");

        CompletableFuture<List<String>> answers = texts(channel)
                .doOnNext(this::noteThread)
                .take(expected.size())
                .collectList()
                .toFuture();

        world.await(requested(channel, "3", "0", "200"), LONG);
        assertThat(world.await(answers, LONG)).isEqualTo(expected);
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @RdmaTest(seeds = 3)
    void aSlowSubscriberHoldsTheServerBack(World world) {
        MessageChannel channel = connected(world);

        CompletableFuture<List<String>> answers = slowly(texts(channel), world)
                .doOnNext(answer -> received++)
                .doOnNext(this::noteThread)
                .take(300)
                .collectList()
                .toFuture();
        world.await(requested(channel, "300"));
        world.runFor(Duration.ofMillis(100));

        assertThat(received).as("one a millisecond of virtual time").isBetween(50, 100);
        assertThat(produced - received).isLessThan(TextChannels.RECEIVES + 3 * 16);
        assertThat(world.await(answers, LONG)).isEqualTo(allAnswers("300"));
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @RdmaTest(seeds = 10)
    void theStreamFromAKilledServerCompletes(World world) {
        MessageChannel channel = connected(world);
        CompletableFuture<Long> answers = texts(channel).count().toFuture();
        world.await(requested(channel, "1000000"));
        world.runFor(Duration.ofMillis(1));
        world.faults().now().kill(world.adapter(TextChannels.SERVER), "app");

        assertThat(world.await(answers)).isBetween(1L, 999_999L);
        assertThat(world.await(channel.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }

    @RdmaTest(seeds = 10)
    void sendsToAKilledServerEndWithOneError(World world) {
        MessageChannel channel = connected(world);
        CompletableFuture<List<String>> answers = texts(channel).collectList().toFuture();
        CompletableFuture<Void> sent =
                send(Flux.just("0").repeat(1_000_000), channel).toFuture();
        world.runFor(Duration.ofMillis(1));
        assertThat(sent).isNotDone();
        world.faults().now().kill(world.adapter(TextChannels.SERVER), "app");

        assertThatThrownBy(() -> world.await(sent)).isInstanceOf(ChannelEndedException.class);
        assertThat(world.await(answers)).isEmpty();
    }

    @RdmaTest(seeds = 10)
    void aCancelClosesTheChannelAndFreesItsBuffers(World world) {
        TextChannels.listen(world, this::serve);
        Endpoint client = TextChannels.client(world);
        for (int round = 0; round < 3; round++) {
            MessageChannel channel = TextChannels.connected(world, client);
            CompletableFuture<List<String>> answers =
                    slowly(texts(channel), world).take(50).collectList().toFuture();
            world.await(requested(channel, "1000000"));

            assertThat(world.await(answers)).hasSize(50);
            assertThat(world.await(channel.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_HERE);
            assertThatThrownBy(() -> world.await(served.removeFirst())).isInstanceOf(ChannelEndedException.class);
        }
    }

    @RdmaTest
    void aSecondSubscriberGetsAnError(World world) {
        MessageChannel channel = connected(world);
        CompletableFuture<String> first = texts(channel).next().toFuture();
        CompletableFuture<String> second = texts(channel).next().toFuture();
        world.await(requested(channel, "1"));

        assertThatThrownBy(() -> world.await(second))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
        assertThat(world.await(first)).isEqualTo("1 of 1");
    }
}
