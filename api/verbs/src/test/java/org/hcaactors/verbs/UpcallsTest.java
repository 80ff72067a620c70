// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpcallsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long QUEUE_COOKIE = 70;
    private static final long PAIR_COOKIE = 71;

    private final ServedProgram program =
            new ServedProgram(RefusalPlan.parse("ibv_alloc_pd:2:ENOMEM,ibv_post_recv:2:EINVAL", Functions.refusable()));
    private final Words producer = new Words();
    private final Words records = new Words();

    @AfterEach
    void close() {
        program.close();
    }

    private long domain(long context) {
        return program.call(Calls.AllocPd.CALL, Calls.AllocPd.PD, context);
    }

    private void receives(int count) {
        for (int index = 0; index < count; index++) {
            long at = (long) index * Calls.Receive.BYTES;
            records.setLong(at + Calls.Receive.WR_ID, index)
                    .setInt(at + Calls.Receive.SIZE, Calls.Receive.BYTES)
                    .setInt(at + Calls.Receive.ELEMENTS, 0);
        }
    }

    private void sends(int... opcodes) {
        for (int index = 0; index < opcodes.length; index++) {
            long at = (long) index * Calls.Send.BYTES;
            records.setLong(at + Calls.Send.WR_ID, index)
                    .setInt(at + Calls.Send.SIZE, Calls.Send.BYTES)
                    .setInt(at + Calls.Send.FLAGS, Calls.SendFlag.SIGNALED)
                    .setInt(at + Calls.Send.ELEMENTS, 0)
                    .setInt(at + Calls.Send.OPCODE, opcodes[index]);
        }
    }

    private int poll(long queue) {
        return program.upcalls().poll(queue, ServedProgram.ENTRIES, records.address());
    }

    @Test
    void thereIsNoCallOfAnotherNumber() {
        assertThat(program.errno(0)).isEqualTo(Errno.EOPNOTSUPP.number());
        assertThat(program.errno(-1)).isEqualTo(Errno.EOPNOTSUPP.number());
    }

    @Test
    void callsWithAnyHandlesEndWithAnErrno() {
        Random random = new Random(1);
        program.open();
        for (int number = 0; number <= Calls.Finish.CALL; number++) {
            program.clear();
            assertThat(program.errno(number, random.nextLong(), random.nextInt(3), random.nextInt(3)))
                    .as("call %d", number)
                    .isBetween(0, Errno.ECANCELED.number());
        }
        assertThat(poll(5)).isEqualTo(-Errno.EINVAL.number());
        assertThat(program.upcalls().arm(5, 1)).isEqualTo(Errno.EINVAL.number());
        assertThat(program.upcalls().postSend(5, records.address(), 1, 0)).isEqualTo(Errno.EINVAL.number());
        assertThat(program.upcalls().postReceive(5, records.address(), 1)).isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void aPlannedCallIsRefusedWithoutEffect() {
        long context = program.open();
        domain(context);

        assertThat(program.errno(Calls.AllocPd.CALL, context)).isEqualTo(Errno.ENOMEM.number());
        domain(context);
    }

    @Test
    void closingADeviceInvalidatesItsHandles() {
        long context = program.open();
        long other = program.open();
        long domain = domain(context);
        program.call(Calls.CloseDevice.CALL, 0, context);

        assertThat(program.errno(Calls.DeallocPd.CALL, domain)).isEqualTo(Errno.EINVAL.number());
        assertThat(program.errno(Calls.CloseDevice.CALL, context)).isEqualTo(Errno.EINVAL.number());
        program.call(Calls.CloseDevice.CALL, 0, other);
    }

    @Test
    void entriesAdvanceTheProducerIndexAndRaiseAnEvent() throws InterruptedException {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createErrantPair(domain(context), queue, PAIR_COOKIE);
        assertThat(poll(queue)).isZero();
        assertThat(program.upcalls().arm(queue, 0)).isZero();
        receives(3);

        assertThat(program.upcalls().postReceive(pair, records.address(), 3)).isZero();
        assertThat(program.events().poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(new ServedProgram.Event(ServedProgram.COMPLETION, QUEUE_COOKIE));
        await().atMost(PATIENCE).until(() -> producer.getLong(0) >= 3);
        assertThat(poll(queue)).isEqualTo(3);
        assertThat(records.getLong(2L * Calls.Completion.BYTES + Calls.Completion.WR_ID))
                .isEqualTo(2);
        assertThat(records.getInt(2L * Calls.Completion.BYTES + Calls.Completion.STATUS))
                .isEqualTo(Status.WR_FLUSH_ERR.code());
    }

    // rule completion-arm-forward
    @Test
    void anArmReportsEntriesThatWereNotPolled() throws InterruptedException {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createErrantPair(domain(context), queue, PAIR_COOKIE);
        receives(1);
        assertThat(program.upcalls().postReceive(pair, records.address(), 1)).isZero();
        await().atMost(PATIENCE).until(() -> producer.getLong(0) >= 1);
        assertThat(program.upcalls().arm(queue, 0)).isZero();

        assertThat(program.events().poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(new ServedProgram.Event(ServedProgram.COMPLETION, QUEUE_COOKIE));
    }

    @Test
    void aRefusedRequestOfAListIsNamedByItsIndex() {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createConnectedPair(domain(context), queue, PAIR_COOKIE);
        receives(4);
        assertThat(program.upcalls().postReceive(pair, records.address(), 4)).isZero();
        sends(Calls.WrOpcode.SEND, Calls.WrOpcode.SEND, Calls.WrOpcode.TSO, Calls.WrOpcode.SEND);

        assertThat(program.upcalls().postSend(pair, records.address(), 4, 0))
                .as(() -> program.said())
                .isEqualTo(2L << Integer.SIZE | Errno.EINVAL.number());
        await().atMost(PATIENCE).until(() -> producer.getLong(0) >= 4);
        assertThat(poll(queue)).as("two sends and two receives").isEqualTo(4);
    }

    @Test
    void nothingOfAWholeListIsPostedIfARequestIsRefused() {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createConnectedPair(domain(context), queue, PAIR_COOKIE);
        receives(2);
        assertThat(program.upcalls().postReceive(pair, records.address(), 2)).isZero();
        sends(Calls.WrOpcode.SEND, Calls.WrOpcode.TSO);
        assertThat(program.upcalls().postSend(pair, records.address(), 2, 1))
                .isEqualTo(1L << Integer.SIZE | Errno.EINVAL.number());
        sends(Calls.WrOpcode.SEND, Calls.WrOpcode.SEND);
        assertThat(program.upcalls().postSend(pair, records.address(), 2, 1))
                .as(() -> program.said())
                .isZero();
        await().atMost(PATIENCE).until(() -> producer.getLong(0) >= 4);
        assertThat(poll(queue)).as("two sends and two receives").isEqualTo(4);
    }

    @Test
    void aFullQueueRefusesTheFirstRequestThatDoesNotFit() {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createPair(domain(context), queue, PAIR_COOKIE);
        program.call(Calls.QueryQp.CALL, 0, pair);
        long room = program.block().from(Calls.QueryQp.ATTRIBUTES).word(Calls.QpAttributes.MAX_RECV_WR);
        receives((int) room + 2);

        assertThat(program.upcalls().postReceive(pair, records.address(), (int) room + 2))
                .isEqualTo(room << Integer.SIZE | Errno.ENOMEM.number());
    }

    @Test
    void destroyedObjectsGetNoEvents() {
        long context = program.open();
        long queue = program.createQueue(context, QUEUE_COOKIE, producer);
        long pair = program.createErrantPair(domain(context), queue, PAIR_COOKIE);
        assertThat(program.upcalls().arm(queue, 0)).isZero();
        program.call(Calls.DestroyQp.CALL, 0, pair);
        program.call(Calls.DestroyCq.CALL, 0, queue);
        program.events().clear();
        program.call(Calls.CloseDevice.CALL, 0, context);

        assertThat(program.events()).isEmpty();
        assertThat(program.errno(Calls.DestroyCq.CALL, queue)).isEqualTo(Errno.EINVAL.number());
    }
}
