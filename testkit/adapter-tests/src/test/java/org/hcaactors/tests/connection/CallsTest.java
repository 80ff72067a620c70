// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.connections;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Call;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.judge.scale.SettledHeap;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are cancelled, and deadlines at the server. */
class CallsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final byte REQUEST = 0;
    private static final byte CANCEL = 3;

    private final World world = World.of(7);
    private final ReplyCache cache = new ReplyCache(100);
    private final List<Request> executed = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    @AfterEach
    void close() {
        world.close();
    }

    private RequestServer serve(EndpointDescription description) {
        return world.await(RequestServer.open(endpoint(world, "server", description), PORT, 4, cache, this::handle));
    }

    /** Answers when the test releases it, or at once if the body begins with an exclamation mark. */
    private CompletionStage<ByteBuffer> handle(Request request) {
        executed.add(request);
        String body = text(request.body());
        if (body.startsWith("!")) {
            return CompletableFuture.completedStage(request.body());
        }
        request.cancelled().thenRun(() -> cancelled.add(body));
        return released.thenApply(done -> request.body());
    }

    private List<String> executed() {
        return executed.stream().map(each -> text(each.body())).toList();
    }

    private void run() {
        world.runFor(Duration.ofMillis(10));
    }

    private RequestException failure(CompletionStage<ByteBuffer> reply) {
        return catchThrowableOfType(RequestException.class, () -> world.await(reply, Duration.ofMinutes(2)));
    }

    private void assertEnds(Call call, Errno errno, RequestException.Fate fate) {
        RequestException failed = failure(call.reply());
        assertThat(failed.fate()).isEqualTo(fate);
        assertThat(failed.errno()).isEqualTo(errno);
    }

    @Test
    void aHandlerReceivesTheCancellation() {
        serve(DEFAULT);
        Call call = client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        run();
        assertThat(cancelled).isEmpty();
        call.cancel();
        call.cancel();
        run();

        assertThat(cancelled).containsExactly("x");
        assertEnds(call, Errno.ECANCELED, RequestException.Fate.UNKNOWN);
        released.complete(null);
        run();
        assertThat(failure(call.reply()))
                .hasMessage(
                        "ECANCELED: the caller cancelled the request; whether the server executed the request is not"
                                + " known");
    }

    @Test
    void aCallThatHasItsReplyIsNotCancelled() {
        serve(DEFAULT);
        Call call = client(endpoint(world, "client")).call(bytes("!"), DEADLINE);
        world.await(call.reply());
        call.cancel();
        run();

        assertThat(text(world.await(call.reply()))).isEqualTo("!");
    }

    @Test
    void aCallIsCancelledBeforeThereIsAConnection() {
        world.adapter("server");
        RequestClient client = client(endpoint(world, "client"));
        Call call = client.call(bytes("x"), DEADLINE);
        run();
        call.cancel();
        serve(DEFAULT);
        world.await(client.request(bytes("!"), DEADLINE), DEADLINE);

        assertEnds(call, Errno.ECANCELED, RequestException.Fate.NOT_SENT);
        assertThat(executed()).containsExactly("!");
    }

    @Test
    void aCallThatWaitsForThePeerIsNeverSent() {
        List<MessageChannel> holds = new ArrayList<>();
        world.await(endpoint(world, "server", DEFAULT.withReceives(1)).listen(PORT, 4, holds::add));
        RequestClient client = client(endpoint(world, "client", DEFAULT.withWindow(1)));
        Call taken = client.call(bytes("a"), DEADLINE);
        Call sent = client.call(bytes("b"), DEADLINE);
        Call waiting = client.call(bytes("c"), DEADLINE);
        Call late = client.call(bytes("d"), SHORT);
        world.runFor(SHORT.multipliedBy(2));
        List.of(taken, sent, waiting).forEach(Call::cancel);

        assertEnds(taken, Errno.ECANCELED, RequestException.Fate.UNKNOWN);
        assertEnds(sent, Errno.ECANCELED, RequestException.Fate.UNKNOWN);
        assertEnds(waiting, Errno.ECANCELED, RequestException.Fate.NOT_SENT);
        assertEnds(late, Errno.ETIMEDOUT, RequestException.Fate.NOT_SENT);
        assertThat(failure(late.reply())).hasMessageContaining("the server takes no more now");
        List<String> received = new ArrayList<>();
        holds.getFirst().messages().subscribe(Subscribers.forEach(message -> received.add(text(message))));
        run();
        assertThat(received).hasSize(4);
        assertThat(received.subList(0, 2))
                .satisfiesExactly(
                        a -> assertThat(a).endsWith("a"), b -> assertThat(b).endsWith("b"));
        assertThat(received.subList(2, 4)).allMatch(each -> each.length() == 29);
    }

    @Test
    void aCancelledCallThatWaitsAtTheServerIsNotExecuted() {
        serve(DEFAULT.withWindow(1));
        RequestClient client = client(endpoint(world, "client"));
        Call first = client.call(bytes("x"), DEADLINE);
        Call second = client.call(bytes("y"), DEADLINE);
        run();
        second.cancel();
        run();
        released.complete(null);
        world.await(first.reply());
        world.await(client.request(bytes("!"), DEADLINE));

        assertThat(executed()).containsExactly("x", "!");
        assertEnds(second, Errno.ECANCELED, RequestException.Fate.UNKNOWN);
    }

    /** The old connection ends for the client only, so the server has the request from both. */
    @Test
    void aCancellationOvertakesTheRequestOfAnOlderConnection() {
        serve(DEFAULT.withWindow(1));
        RequestClient client = client(endpoint(world, "client", DEFAULT.withKeepalive(SHORT)));
        Call first = client.call(bytes("x"), DEADLINE);
        Call second = client.call(bytes("y"), DEADLINE);
        run();
        world.network().unplug(world.adapter("client"));
        world.runFor(Duration.ofSeconds(5));
        world.network().plug(world.adapter("client"));
        world.runFor(Duration.ofSeconds(10));
        assertThat(connections(world)).isGreaterThan(1);
        second.cancel();
        run();
        released.complete(null);
        world.await(first.reply());
        world.await(client.request(bytes("!"), DEADLINE), DEADLINE);

        assertThat(executed()).containsExactly("x", "!");
    }

    private static ByteBuffer frame(byte kind, Duration deadline, String body) {
        return ByteBuffer.allocate(29 + body.length())
                .put(kind)
                .putLong(1)
                .putInt(2)
                .putLong(3)
                .putLong(deadline.toNanos())
                .put(bytes(body))
                .flip();
    }

    @Test
    void aRequestIsNotExecutedAfterItsCancellation() {
        serve(DEFAULT);
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
        channel.send(frame(CANCEL, Duration.ZERO, ""));
        channel.send(frame(CANCEL, Duration.ZERO, ""));
        world.await(channel.send(frame(REQUEST, DEADLINE, "x")));
        run();

        assertThat(executed()).isEmpty();
    }

    @Test
    void aRequestIsCancelledTwiceWhileItExecutes() {
        serve(DEFAULT);
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
        channel.send(frame(REQUEST, DEADLINE, "x"));
        channel.send(frame(CANCEL, Duration.ZERO, ""));
        channel.send(frame(CANCEL, Duration.ZERO, ""));
        world.await(channel.send(frame(REQUEST, DEADLINE, "x")));
        run();

        assertThat(executed()).containsExactly("x");
        assertThat(cancelled).containsExactly("x");
    }

    @Test
    void messagesThatAreNoFramesAreIgnored() {
        serve(DEFAULT.withReceives(4));
        RequestClient client = client(endpoint(world, "client"));
        MessageChannel channel = world.await(endpoint(world, "other").connect(SERVER));
        for (int i = 0; i < 10; i++) {
            world.await(channel.send(ByteBuffer.allocate(i)));
            world.await(channel.send(frame((byte) (i + 4), DEADLINE, "x")));
            world.await(channel.send(frame((byte) -i, Duration.ZERO.minusNanos(i), "x")));
        }
        world.await(client.request(bytes("!"), DEADLINE));

        assertThat(executed()).containsExactly("!");
    }

    @Test
    void aCancellationPassesRequestsThatWait() {
        serve(DEFAULT.withWindow(2));
        RequestClient client = client(endpoint(world, "client"));
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(client.call(bytes("x" + i), DEADLINE));
        }
        run();
        calls.getFirst().cancel();
        run();

        assertThat(executed()).containsExactly("x0", "x1");
        assertThat(cancelled).containsExactly("x0");
    }

    @Test
    void requestsThatWaitEndWithTheirConnection() {
        serve(DEFAULT.withWindow(1));
        RequestClient client = client(endpoint(world, "client"));
        client.call(bytes("x"), DEADLINE);
        client.call(bytes("y"), DEADLINE);
        run();
        world.await(client.closeAsync());
        run();
        released.complete(null);
        run();

        assertThat(executed()).containsExactly("x");
    }

    @Test
    void anAnswerOfAServerThatIsGoneIsNotThatOfTheNext() {
        List<CompletableFuture<ByteBuffer>> answers = new ArrayList<>();
        List<String> replies = new ArrayList<>();
        for (String name : List.of("old", "new")) {
            world.await(RequestServer.open(endpoint(world, "server", name), PORT, 4, cache, request -> {
                answers.add(new CompletableFuture<>());
                return answers.getLast();
            }));
            MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
            channel.messages().subscribe(Subscribers.forEach(message -> replies.add(text(message))));
            world.await(channel.send(frame(REQUEST, DEADLINE, "x")));
            run();
            if (name.equals("old")) {
                world.await(world.adapter("server").process(name).kill());
                continue;
            }
            answers.getFirst().complete(bytes("old"));
            answers.getLast().complete(bytes("new"));
            world.await(channel.send(frame(REQUEST, DEADLINE, "x")));
            run();
        }

        assertThat(answers).hasSize(2);
        assertThat(replies).hasSize(2).allMatch(each -> each.endsWith("new"));
    }

    @Test
    void aCancelledCallLeavesNoTimer() {
        serve(DEFAULT);
        Call call = client(endpoint(world, "client")).call(bytes("x"), Duration.ofDays(20));
        run();
        call.cancel();
        run();
        released.complete(null);

        assertThat(world.runToQuiet(DEADLINE)).isTrue();
    }

    @Test
    void callsOfAProcessThatEndsAreCancelled() {
        serve(DEFAULT);
        Call call = client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        run();
        world.await(world.adapter("client").process("app").exit());

        assertEnds(call, Errno.ECANCELED, RequestException.Fate.UNKNOWN);
    }

    @Test
    void aProcessThatEndsWhileItsClientWaitsCancelsItsCalls() {
        world.adapter("server");
        Call call = client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        world.runFor(Duration.ofSeconds(2));
        world.await(world.adapter("client").process("app").exit());
        long before = connections(world);
        world.runFor(DEADLINE);

        assertEnds(call, Errno.ECANCELED, RequestException.Fate.NOT_SENT);
        assertThat(connections(world)).isEqualTo(before);
    }

    @Test
    void aHandlerSeesTheTimeThatIsLeft() {
        serve(DEFAULT);
        client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        world.runFor(Duration.ofSeconds(20));
        assertThat(executed.getFirst().remaining())
                .isBetween(Duration.ofSeconds(40), Duration.ofSeconds(40).plusMillis(1));
        assertThat(cancelled).isEmpty();
        world.runFor(Duration.ofSeconds(41));

        assertThat(executed.getFirst().remaining()).isZero();
        assertThat(cancelled).containsExactly("x");
    }

    @Test
    void theNextServerSeesTheTimeThatIsLeft() {
        serve(DEFAULT);
        client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        world.runFor(Duration.ofSeconds(20));
        world.await(world.adapter("server").process("app").kill());
        serve(DEFAULT);
        world.runFor(Duration.ofSeconds(10));

        assertThat(executed).hasSize(2);
        assertThat(executed.getLast().remaining()).isBetween(Duration.ofSeconds(29), Duration.ofSeconds(31));
    }

    @Test
    void aRequestWhoseTimePassesWhileItWaitsIsNotExecuted() {
        serve(DEFAULT.withWindow(1));
        RequestClient client = client(endpoint(world, "client"));
        Call first = client.call(bytes("x"), DEADLINE);
        Call late = client.call(bytes("late"), SHORT);
        Call patient = client.call(bytes("!"), DEADLINE);
        world.runFor(SHORT.multipliedBy(2));
        released.complete(null);
        world.await(first.reply());
        world.await(patient.reply());

        assertThat(executed()).containsExactly("x", "!");
        assertEnds(late, Errno.ETIMEDOUT, RequestException.Fate.UNKNOWN);
    }

    @Test
    void aCopyGetsItsReplyThoughItsTimeHasPassed() {
        serve(DEFAULT);
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
        List<String> replies = new ArrayList<>();
        channel.messages().subscribe(Subscribers.forEach(message -> replies.add(text(message))));
        world.await(channel.send(frame(REQUEST, DEADLINE, "!hello")));
        world.await(channel.send(frame(REQUEST, Duration.ZERO, "!hello")));
        run();

        assertThat(replies).hasSize(2).allMatch(each -> each.endsWith("!hello"));
        assertThat(executed).hasSize(1);
    }

    @Test
    void aRequestThatIsAnsweredLeavesNoTimer() {
        serve(DEFAULT);
        Call call = client(endpoint(world, "client")).call(bytes("x"), Duration.ofDays(20));
        run();
        released.complete(null);
        world.await(call.reply());

        assertThat(world.runToQuiet(DEADLINE)).isTrue();
    }

    /** Two servers of one process and one cache: the first one is closed while it executes a request, of which the second gets a copy. */
    private RequestServer copied(Duration deadline, List<ByteBuffer> replies) {
        RequestServer first = serve(DEFAULT);
        world.await(connected(replies).send(frame(REQUEST, deadline, "x")));
        run();
        first.closeAsync();
        world.runFor(deadline.compareTo(SHORT) > 0 ? SHORT : SHORT.multipliedBy(2));
        serve(DEFAULT);
        world.await(connected(replies).send(frame(REQUEST, DEADLINE, "x")));
        run();
        return first;
    }

    private MessageChannel connected(List<ByteBuffer> replies) {
        MessageChannel made = world.await(endpoint(world, "client").connect(SERVER));
        made.messages().subscribe(Subscribers.forEach(message -> replies.add(message.content())));
        return made;
    }

    @Test
    void theNextServerWaitsForAnExecutionOfAClosedOne() {
        List<ByteBuffer> replies = new ArrayList<>();
        copied(DEADLINE, replies);
        released.complete(null);
        run();

        assertThat(executed()).containsExactly("x");
        assertThat(replies).hasSize(2).allMatch(each -> text(each.position(29)).equals("x"));
    }

    /** The later copy has a deadline of its own. */
    @Test
    void theNextServerWaitsForAnExecutionThatIsLate() {
        List<ByteBuffer> replies = new ArrayList<>();
        copied(SHORT, replies);
        released.complete(null);
        run();

        assertThat(executed()).containsExactly("x");
        assertThat(replies).hasSize(2).allMatch(each -> text(each.position(29)).equals("x"));
    }

    @Test
    void aClosedServerIsDrainedWithRequestsThatHaveCopies() {
        List<ByteBuffer> replies = new ArrayList<>();
        RequestServer first = copied(DEADLINE, replies);
        world.await(first.drain(Duration.ZERO));
        run();

        assertThat(executed()).containsExactly("x");
        assertThat(cancelled).containsExactly("x");
        assertThat(replies).hasSize(2).allMatch(each -> text(each.position(29)).contains("drained"));
    }

    @Test
    void aCancellationAtTheNextServerIsNotTheAnswer() {
        List<ByteBuffer> replies = new ArrayList<>();
        copied(DEADLINE, replies);
        MessageChannel channel = connected(replies);
        world.await(channel.send(frame(CANCEL, Duration.ZERO, "")));
        run();
        released.complete(null);
        world.await(channel.send(frame(REQUEST, DEADLINE, "x")));
        run();

        assertThat(cancelled).containsExactly("x");
        assertThat(replies).hasSize(3).allMatch(each -> text(each.position(29)).equals("x"));
    }

    /** The channel's queue has a place for each call until the peer takes it. */
    @Test
    void cancelledCallsThatWaitHoldNoBodies() {
        int length = 1 << 20;
        int calls = 200;
        EndpointDescription large =
                DEFAULT.withMaxMessageBytes(length).withReceives(1).withSends(1).withWindow(1);
        world.await(endpoint(world, "server", large).listen(PORT, 4, channel -> {}));
        RequestClient client = client(endpoint(world, "client", large));
        for (int i = 0; i < 2; i++) {
            client.call(bytes("x"), DEADLINE);
        }
        run();
        long before = SettledHeap.bytes();
        ByteBuffer body = ByteBuffer.allocate(length - 29);
        for (int i = 0; i < calls; i++) {
            client.call(body, DEADLINE).cancel();
        }

        assertThat(SettledHeap.bytes() - before).isLessThan((long) calls * length / 4);
    }
}
