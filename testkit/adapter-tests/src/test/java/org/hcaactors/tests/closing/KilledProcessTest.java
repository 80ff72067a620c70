// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Code of a killed process has no further effect. */
class KilledProcessTest {
    private static final int REQUESTS = 32;
    private static final Duration INSIDE = Duration.ofNanos(30_000);

    /** Answers each message with one; treats the failure of one of its own sends as an error. */
    private static void serves(RcEnd server, List<WorkCompletion> seen) {
        server.recvCq()
                .completions()
                .subscribe(Subscribers.forEach(message -> answer(server, message, seen), reason -> {}));
        server.sendCq().completions().subscribe(Subscribers.forEach(sent -> check(sent, seen), reason -> {}));
        for (int i = 0; i < REQUESTS; i++) {
            server.postReceive(Receive.of(i, server.slice(1024 + 64 * i, 64)));
        }
    }

    private static void answer(RcEnd server, WorkCompletion message, List<WorkCompletion> seen) {
        check(message, seen);
        server.qp().post(Send.of(message.workId(), server.slice(0, 8)).withSignaled());
    }

    private static void check(WorkCompletion completion, List<WorkCompletion> seen) {
        seen.add(completion);
        if (!completion.isSuccess()) {
            throw new IllegalStateException("the server counts on " + completion);
        }
    }

    // rule completion-killed
    @RdmaTest(seeds = 60, swarm = Swarm.OFF)
    void aServerKilledWhileAnsweringThrowsNothing(World world) {
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        List<WorkCompletion> seen = new ArrayList<>();
        serves(pair.b(), seen);
        for (int i = 0; i < REQUESTS; i++) {
            pair.a().qp().postReceive(Receive.of(i, pair.a().slice(1024 + 64 * i, 64)));
            pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8)));
        }
        world.faults().after(INSIDE).kill(pair.b().adapter(), "app");
        world.runFor(Duration.ofSeconds(2));
        assertThat(seen).allMatch(WorkCompletion::isSuccess);
    }

    // rule completion-killed
    @Test
    void aKilledProcessGetsNoEventOfItsAdapter() {
        try (World world = World.inOrder()) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            List<AsyncEvent> events = new ArrayList<>();
            pair.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add, reason -> {}));
            world.settle();
            world.network().unplug(pair.b().adapter());
            world.await(pair.b().context().process().kill());
            assertThat(events).isEmpty();
        }
    }

    // rule completion-killed
    @Test
    void streamsAndReadersOfAKilledProcessEndWithoutElements() throws Exception {
        try (World world = World.inOrder()) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            List<WorkCompletion> read = new ArrayList<>();
            CompletableFuture<Throwable> over = new CompletableFuture<>();
            CompletionReader reader = pair.b().recvCq().forEachCompletion(batch -> read.add(batch.completion()));
            pair.b().sendCq().completions().subscribe(Subscribers.forEach(each -> read.add(each), over::complete));
            pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
            world.settle();
            world.await(pair.b().adapter().process("app").kill());
            assertThat(read).isEmpty();
            assertThat(world.await(reader.ended())).isNotNull();
        }
    }
}
