// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.tag.TagHeader;
import org.junit.jupiter.api.Test;

/** The machine's actions for given inputs, and its ordering with an adapter that executes and reports at random times. */
class TagMachineTest {
    private static final int RUNS = 1_000;
    private static final int STEPS = 200;
    private static final int TAGS = 3;
    private static final int EAGER = 64;

    private static final TagBuffer BUFFER = TagBuffer.of(
            (MemoryRegion) Proxy.newProxyInstance(
                    MemoryRegion.class.getClassLoader(),
                    new Class<?>[] {MemoryRegion.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "lengthBytes" -> 1L << 20;
                        case "toString" -> "region";
                        default -> throw new UnsupportedOperationException(method.getName());
                    }),
            0,
            EAGER);

    private static UnexpectedMessage message(long tag, int number) {
        return new UnexpectedMessage(number, 0, TagHeader.eager(number, tag), Optional.empty(), EAGER);
    }

    // rule tag-phase
    @Test
    void anAcknowledgedCountIsSentWithTheNextReceive() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        assertThat(machine.unexpected(message(7, 0)))
                .as("no receive waits for it")
                .isEmpty();
        PendingReceive receive = machine.newReceive(8, -1, BUFFER);
        assertThat(machine.receive(receive)).containsExactly(new TagAction.Add(receive, OptionalInt.of(1)));
    }

    // rule tag-phase
    @Test
    void theCountOfARefusedReceiveIsSentWithTheNextOne() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        machine.unexpected(message(7, 0));
        PendingReceive refused = machine.newReceive(8, -1, BUFFER);
        machine.receive(refused);
        VerbsException reason = VerbsException.invalid("its buffer is gone");
        assertThat(machine.notAdded(refused, reason)).containsExactly(new TagAction.Fail(refused, reason));
        assertThat(machine.cancel(refused)).containsExactly(new TagAction.Cancelled(refused, false));
        PendingReceive next = machine.newReceive(9, -1, BUFFER);
        assertThat(machine.receive(next)).containsExactly(new TagAction.Add(next, OptionalInt.of(1)));
    }

    // rule tag-phase
    @Test
    void aReceiveForAnUnexpectedMessageGetsItAtOnce() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        UnexpectedMessage message = message(7, 0);
        machine.unexpected(message);
        PendingReceive receive = machine.newReceive(7, -1, BUFFER);
        assertThat(machine.receive(receive)).containsExactly(new TagAction.Copy(message, receive));
    }

    // rule tag-delete-race
    @Test
    void anUnexpectedMessageTakesAListedReceiveAfterItsDeletion() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        PendingReceive receive = machine.newReceive(7, -1, BUFFER);
        machine.receive(receive);
        UnexpectedMessage message = message(7, 0);
        assertThat(machine.unexpected(message)).containsExactly(new TagAction.Delete(receive));
        assertThat(machine.deletionEnded(receive, true, true))
                .as("and the adapter gets the new count")
                .containsExactly(new TagAction.Copy(message, receive), new TagAction.Sync(1));
    }

    // rule tag-delete-race
    @Test
    void aMessageWhoseReceiveWasTakenIsMatchedAgain() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        PendingReceive first = machine.newReceive(7, -1, BUFFER);
        machine.receive(first);
        machine.unexpected(message(7, 0));
        PendingReceive second = machine.newReceive(7, -1, BUFFER);
        assertThat(machine.receive(second))
                .as("listed behind")
                .containsExactly(new TagAction.Add(second, OptionalInt.empty()));
        assertThat(machine.deletionEnded(first, false, true)).containsExactly(new TagAction.Delete(second));
    }

    // rule tag-phase
    @Test
    void aBrokenUnexpectedMessageIsCounted() {
        TagMachine machine = new TagMachine(4, 4, EAGER);
        machine.receive(machine.newReceive(1, -1, BUFFER));
        machine.operationEnded(true);
        assertThat(machine.unexpectedFailed()).containsExactly(new TagAction.Sync(1));
    }

    /** An adapter's tag list, the operations it has not executed, and the events that are not delivered yet. */
    private static final class Exchange {
        final TagMachine machine = new TagMachine(3, 2, EAGER);
        final List<PendingReceive> list = new ArrayList<>();
        final ArrayDeque<Runnable> asked = new ArrayDeque<>();
        final ArrayDeque<Supplier<List<TagAction>>> said = new ArrayDeque<>();
        final List<PendingReceive> receives = new ArrayList<>();
        final Map<PendingReceive, Integer> taken = new LinkedHashMap<>();
        final Map<Integer, PendingReceive> got = new LinkedHashMap<>();
        final List<PendingReceive> cancelled = new ArrayList<>();
        final List<Long> sent = new ArrayList<>();
        int matching;
        int delivered;
        int handled;

        void hears(int dealtWith) {
            handled = dealtWith;
            inStep();
        }

        void inStep() {
            if (handled == delivered) {
                matching = list.size();
            }
        }

        void post(long tag, long mask) {
            PendingReceive receive = machine.newReceive(tag, mask, BUFFER);
            receives.add(receive);
            carryOut(machine.receive(receive));
        }

        void carryOut(List<TagAction> acts) {
            acts.forEach(this::carryOut);
        }

        void carryOut(TagAction act) {
            switch (act) {
                case TagAction.Add add ->
                    asked.add(() -> {
                        add.handled().ifPresent(this::hears);
                        list.add(add.receive());
                        inStep();
                        boolean syncRequested = handled != delivered;
                        said.add(() -> machine.operationEnded(syncRequested));
                    });
                case TagAction.Sync sync ->
                    asked.add(() -> {
                        hears(sync.handled());
                        boolean syncRequested = handled != delivered;
                        said.add(() -> machine.operationEnded(syncRequested));
                    });
                case TagAction.Delete delete -> asked.add(() -> delete(delete.receive()));
                case TagAction.Copy copy -> has(copy.receive(), copy.message().place());
                case TagAction.Finish finish ->
                    has(finish.receive(), Objects.requireNonNull(taken.get(finish.receive())));
                case TagAction.Cancelled end -> {
                    if (end.done()) {
                        cancelled.add(end.receive());
                    }
                }
                case TagAction.Fetch fetch -> throw new AssertionError(fetch);
                case TagAction.Truncate truncate -> throw new AssertionError(truncate);
                case TagAction.Fail fail -> throw new AssertionError(fail);
            }
        }

        void delete(PendingReceive receive) {
            int at = list.indexOf(receive);
            boolean wasThere = at >= 0;
            if (wasThere) {
                matching -= at < matching ? 1 : 0;
                list.remove(at);
            }
            boolean syncRequested = handled != delivered;
            said.add(() -> machine.deletionEnded(receive, wasThere, syncRequested));
        }

        void has(PendingReceive receive, int message) {
            assertThat(got.put(message, receive))
                    .as("message %d is received twice", message)
                    .isNull();
            assertThat(cancelled).as("message %d", message).doesNotContain(receive);
        }

        void comes(long tag) {
            int number = sent.size();
            sent.add(tag);
            Optional<PendingReceive> first = list.subList(0, matching).stream()
                    .filter(each -> each.matches(tag))
                    .findFirst();
            if (first.isEmpty()) {
                delivered++;
                said.add(() -> machine.unexpected(message(tag, number)));
                return;
            }
            PendingReceive receive = first.get();
            list.remove(receive);
            matching--;
            taken.put(receive, number);
            TagInfo.Info info = new TagInfo.Info(tag, number);
            said.add(() -> {
                machine.matched(receive, info);
                return List.of();
            });
            said.add(() -> machine.arrived(receive, Optional.of(info), EAGER));
        }

        void listens() {
            Supplier<List<TagAction>> next = said.poll();
            if (next != null) {
                carryOut(next.get());
            }
        }

        void works() {
            Runnable next = asked.poll();
            if (next != null) {
                next.run();
            }
        }

        void settles() {
            while (!asked.isEmpty() || !said.isEmpty()) {
                works();
                listens();
            }
        }
    }

    private static Exchange played(int run) {
        SplittableRandom random = new SplittableRandom(run);
        Exchange exchange = new Exchange();
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> exchange.post(random.nextInt(TAGS), random.nextInt(3) == 0 ? 0 : -1);
                case 2, 3 -> exchange.comes(random.nextInt(TAGS));
                case 4 -> {
                    if (!exchange.receives.isEmpty()) {
                        PendingReceive any = exchange.receives.get(random.nextInt(exchange.receives.size()));
                        exchange.carryOut(exchange.machine.cancel(any));
                    }
                }
                case 5 -> exchange.works();
                default -> exchange.listens();
            }
        }
        exchange.settles();
        while (exchange.got.size() < exchange.sent.size()) {
            exchange.post(0, 0);
            exchange.settles();
        }
        return exchange;
    }

    // rules tag-match, tag-phase, tag-delete-race
    @Test
    void everyMessageIsReceivedOnceAndInOrder() {
        for (int run = 0; run < RUNS; run++) {
            Exchange played = played(run);
            assertThat(played.got).hasSize(played.sent.size());
            played.got.forEach((message, receive) -> {
                assertThat(receive.matches(played.sent.get(message)))
                        .as("its tag")
                        .isTrue();
                for (int older = 0; older < message; older++) {
                    boolean waitedForIt = receive.matches(played.sent.get(older));
                    assertThat(!waitedForIt || Objects.requireNonNull(played.got.get(older)).number < receive.number)
                            .as(
                                    "receive %d has message %d, and an older one not received by an older",
                                    receive.number, message)
                            .isTrue();
                }
            });
        }
    }
}
