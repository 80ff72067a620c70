// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.samples.TextChannels.allAnswers;
import static org.hcaactors.samples.TextChannels.bytes;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
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
import org.reactivestreams.FlowAdapters;

/** A service that streams, in RxJava. Without a scheduler its operators run on the thread of the world. */
class RxJavaServiceTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Set<Thread> threads = new HashSet<>();
    private final List<Throwable> dropped = new ArrayList<>();
    private final List<CompletionStage<Void>> served = new ArrayList<>();
    private int produced;
    private int received;

    // docs begin
    static Flowable<String> texts(MessageChannel channel) {
        return Flowable.fromPublisher(FlowAdapters.toPublisher(channel.messages()))
                .map(TextChannels::text)
                .rebatchRequests(16);
    }

    static Completable send(Flowable<String> texts, MessageChannel channel) {
        return texts.flatMapCompletable(text -> Completable.fromCompletionStage(channel.send(bytes(text))), false, 16);
    }
    // docs end

    private void serve(MessageChannel channel) {
        Flowable<String> answers = texts(channel)
                .concatMap(request -> Flowable.fromStream(TextChannels.answers(request)))
                .doOnNext(answer -> produced++)
                .doOnNext(this::noteThread);
        served.add(send(answers, channel).toCompletionStage(null));
    }

    private void noteThread(String answer) {
        threads.add(Thread.currentThread());
    }

    private MessageChannel connected(World world) {
        TextChannels.listen(world, this::serve);
        return TextChannels.connected(world, TextChannels.client(world));
    }

    private static CompletionStage<Void> requested(MessageChannel channel, String... requests) {
        return send(Flowable.fromArray(requests), channel).toCompletionStage(null);
    }

    private static Flowable<String> slowly(Flowable<String> texts, World world) {
        Scheduler inWorld = Schedulers.from(world.executor());
        return texts.observeOn(inWorld, false, 16)
                .concatMapSingle(text -> Single.just(text).delay(1, MILLISECONDS, inWorld), 1);
    }

    @BeforeEach
    void recordWhatIsDropped() {
        RxJavaPlugins.setErrorHandler(dropped::add);
    }

    @AfterEach
    void nothingWasDropped() {
        RxJavaPlugins.setErrorHandler(null);
        assertThat(dropped).isEmpty();
    }

    @RdmaTest(seeds = 10, swarm = Swarm.WIRE)
    void eachRequestIsAnsweredWithAStream(World world) {
        MessageChannel channel = connected(world);
        List<String> expected = allAnswers("3", "0", "200");

        CompletionStage<List<String>> answers = texts(channel)
                .doOnNext(this::noteThread)
                .take(expected.size())
                .toList()
                .toCompletionStage();

        world.await(requested(channel, "3", "0", "200"), LONG);
        assertThat(world.await(answers, LONG)).isEqualTo(expected);
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @RdmaTest(seeds = 3)
    void aSlowSubscriberHoldsTheServerBack(World world) {
        MessageChannel channel = connected(world);

        CompletionStage<List<String>> answers = slowly(texts(channel), world)
                .doOnNext(answer -> received++)
                .doOnNext(this::noteThread)
                .take(300)
                .toList()
                .toCompletionStage();
        world.await(requested(channel, "300"));
        world.runFor(Duration.ofMillis(100));

        assertThat(received).as("one a millisecond of virtual time").isBetween(50, 100);
        assertThat(produced - received).isLessThan(TextChannels.RECEIVES + 4 * 16);
        assertThat(world.await(answers, LONG)).isEqualTo(allAnswers("300"));
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @RdmaTest(seeds = 10)
    void theStreamFromAKilledServerCompletes(World world) {
        MessageChannel channel = connected(world);
        CompletionStage<Long> answers = texts(channel).count().toCompletionStage();
        world.await(requested(channel, "1000000"));
        world.runFor(Duration.ofMillis(1));
        world.faults().now().kill(world.adapter(TextChannels.SERVER), "app");

        assertThat(world.await(answers)).isBetween(1L, 999_999L);
        assertThat(world.await(channel.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }

    @RdmaTest(seeds = 10)
    void sendsToAKilledServerEndWithOneError(World world) {
        MessageChannel channel = connected(world);
        CompletionStage<List<String>> answers = texts(channel).toList().toCompletionStage();
        CompletionStage<Void> sent =
                send(Flowable.just("0").repeat(1_000_000), channel).toCompletionStage(null);
        world.runFor(Duration.ofMillis(1));
        assertThat(sent.toCompletableFuture()).isNotDone();
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
            CompletionStage<List<String>> answers =
                    slowly(texts(channel), world).take(50).toList().toCompletionStage();
            world.await(requested(channel, "1000000"));

            assertThat(world.await(answers)).hasSize(50);
            assertThat(world.await(channel.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_HERE);
            assertThatThrownBy(() -> world.await(served.removeFirst())).isInstanceOf(ChannelEndedException.class);
        }
    }

    @RdmaTest
    void aSecondSubscriberGetsAnError(World world) {
        MessageChannel channel = connected(world);
        CompletionStage<String> first = texts(channel).firstOrError().toCompletionStage();
        CompletionStage<String> second = texts(channel).firstOrError().toCompletionStage();
        world.await(requested(channel, "1"));

        assertThatThrownBy(() -> world.await(second))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
        assertThat(world.await(first)).isEqualTo("1 of 1");
    }
}
