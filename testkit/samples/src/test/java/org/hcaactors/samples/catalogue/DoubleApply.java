// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A client repeats a request when no answer has arrived in time, and the server executes every request, even one that it has
 * executed already. After a slow answer the account has the deposit twice. Correct: number the requests, and answer a known
 * number with the first answer.
 */
final class DoubleApply {
    private static final int DEPOSITS = 12;
    private static final int AMOUNT = 5;
    private static final long PATIENCE_MICROS = 8;
    private static final int BUFFERS = 64;

    /** The server's account; a deposit returns the balance. */
    private interface Account {
        long deposit(long number, long amount);
    }

    private static final class Wrong implements Account {
        private long balance;

        @Override
        public long deposit(long number, long amount) {
            return balance += amount;
        }
    }

    private static final class Right implements Account {
        private final Map<Long, Long> answers = new HashMap<>();
        private long balance;

        @Override
        public long deposit(long number, long amount) {
            return answers.computeIfAbsent(number, first -> balance += amount);
        }
    }

    static Entry entry() {
        return Entry.of(
                DoubleApply.class,
                "a request that is sent again is carried out again",
                world -> new DoubleApply(world, new Wrong()).run(world),
                world -> new DoubleApply(world, new Right()).run(world));
    }

    private final CompletableFuture<Long> balance = new CompletableFuture<>();
    private final Set<Long> answered = new HashSet<>();
    private final Account account;
    private final RcEnd client;
    private final RcEnd server;
    private final ScheduledExecutorService timers;

    private DoubleApply(World world, Account account) {
        this.account = account;
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        client = pair.a();
        server = pair.b();
        timers = world.executor(client.context().process());
    }

    private void run(World world) {
        for (int i = 0; i < BUFFERS; i++) {
            receive(server, 16L * i);
            receive(client, 16L * i);
        }
        server.recvCq().completions().subscribe(Subscribers.forEach(this::serve));
        client.recvCq().completions().subscribe(Subscribers.forEach(this::answered));
        ask(1);
        assertThat(world.await(balance)).as("balance").isEqualTo(DEPOSITS * AMOUNT);
    }

    private void ask(long number) {
        if (!answered.contains(number)) {
            send(client, number, AMOUNT);
            timers.schedule(() -> ask(number), PATIENCE_MICROS, TimeUnit.MICROSECONDS);
        }
    }

    private void serve(WorkCompletion request) {
        if (!request.isSuccess()) {
            return;
        }
        long at = request.workId();
        long number = server.memory().readLong(at);
        long amount = server.memory().readLong(at + 8);
        receive(server, at);
        send(server, number, account.deposit(number, amount));
    }

    private void answered(WorkCompletion answer) {
        if (!answer.isSuccess()) {
            return;
        }
        long number = client.memory().readLong(answer.workId());
        long reached = client.memory().readLong(answer.workId() + 8);
        receive(client, answer.workId());
        if (answered.add(number)) {
            if (number == DEPOSITS) {
                balance.complete(reached);
            } else {
                ask(number + 1);
            }
        }
    }

    private static void receive(RcEnd into, long at) {
        into.postReceive(Receive.of(at, into.slice(at, 16)));
    }

    private static void send(RcEnd from, long number, long value) {
        from.memory().writeLong(4096, number);
        from.memory().writeLong(4104, value);
        from.submit(Send.of(number, from.slice(4096, 16)).withInline());
    }
}
