// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.fabric.flow.TraceSink;

/** The Java side with an adapter of its own and no cable, called as the C side calls it. */
final class ServedProgram implements AutoCloseable {
    /** An event that came down: an asynchronous one, or that of a completion queue, with type -1. */
    record Event(int type, long element) {}

    static final int COMPLETION = -1;
    static final int ENTRIES = 16;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final ServedAdapter served;
    private final RefusedCalls refused;
    private final Upcalls upcalls;
    private final Words words = new Words();

    ServedProgram(RefusalPlan refusals) {
        this(refusals, TraceSink.NONE);
    }

    ServedProgram(RefusalPlan refusals, TraceSink trace) {
        Settings settings = Settings.of(Map.of("HCA_VERBS_NET", "off"), Functions.refusable());
        served = ServedAdapter.open(settings, new ProcessBytes(), trace);
        Session session = new Session(served, new Handles(), new ProgramEvents() {
            @Override
            public void completion(long cookie) {
                events.add(new Event(COMPLETION, cookie));
            }

            @Override
            public void asynchronous(long contextCookie, int type, long element) {
                events.add(new Event(type, element));
            }
        });
        Errnos errnos = new Errnos(new PrintStream(said, true, StandardCharsets.UTF_8), true);
        Dispatch dispatch = new Dispatch(session, new ProcessCalls(served, new RunReport(settings, errnos)));
        refused = new RefusedCalls(errnos, trace, settings.name(), ServedAdapter.clock(settings.slower()));
        upcalls = new Upcalls(dispatch, session, refusals, refused);
    }

    Upcalls upcalls() {
        return upcalls;
    }

    RefusedCalls refused() {
        return refused;
    }

    /** The block of the next call; its words keep their values. */
    Block block() {
        return words.block();
    }

    /** Sets all words of the block to 0. */
    void clear() {
        for (int index = 0; index < Calls.ModifyQp.WORDS; index++) {
            block().put(index, 0);
        }
    }

    /** What was said on standard error. */
    String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    BlockingQueue<Event> events() {
        return events;
    }

    /** Calls with these words first; returns the errno. */
    int errno(int number, long... first) {
        for (int index = 0; index < first.length; index++) {
            block().put(index, first[index]);
        }
        return upcalls.call(number, block().address());
    }

    /** Calls with these words first, and returns a word of the result. */
    long call(int number, int result, long... first) {
        assertThat(errno(number, first)).as(() -> said()).isZero();
        return block().word(result);
    }

    long open() {
        return call(Calls.OpenDevice.CALL, Calls.OpenDevice.CONTEXT, 0, 7);
    }

    long createQueue(long context, long cookie, Words producer) {
        clear();
        block().put(Calls.CreateCq.CQE, ENTRIES);
        block().put(Calls.CreateCq.CHANNEL, true);
        block().put(Calls.CreateCq.PRODUCER, producer.address());
        return call(Calls.CreateCq.CALL, Calls.CreateCq.CQ, context, cookie);
    }

    /** Creates an RC queue pair and moves it to INIT, where it takes receives. */
    long createPair(long domain, long queue, long cookie) {
        clear();
        block().put(Calls.CreateQp.SEND_CQ, queue);
        block().put(Calls.CreateQp.RECV_CQ, queue);
        block().put(Calls.CreateQp.MAX_SEND_WR, ENTRIES);
        block().put(Calls.CreateQp.MAX_RECV_WR, ENTRIES);
        block().put(Calls.CreateQp.MAX_SEND_SGE, 1);
        block().put(Calls.CreateQp.MAX_RECV_SGE, 1);
        long pair = call(Calls.CreateQp.CALL, Calls.CreateQp.QP, domain, cookie, Calls.QpType.RC);
        clear();
        block().from(Calls.ModifyQp.ATTRIBUTES).put(Calls.QpAttributes.PORT_NUM, 1);
        modify(pair, Calls.QpState.INIT, Calls.QpMask.PKEY_INDEX | Calls.QpMask.PORT | Calls.QpMask.ACCESS_FLAGS);
        return pair;
    }

    /** Creates a queue pair that is connected with itself. */
    long createConnectedPair(long domain, long queue, long cookie) {
        long pair = createPair(domain, queue, cookie);
        call(Calls.QueryGid.CALL, 0, 0, 1, 0);
        long high = block().word(Calls.QueryGid.GID_HIGH);
        long low = block().word(Calls.QueryGid.GID_LOW);
        clear();
        long number = modify(pair, Calls.QpState.INIT, Calls.QpMask.ACCESS_FLAGS);
        Block attributes = block().from(Calls.ModifyQp.ATTRIBUTES);
        Block path = attributes.from(Calls.QpAttributes.AH_ATTR);
        path.put(Calls.Path.DGID_HIGH, high);
        path.put(Calls.Path.DGID_LOW, low);
        path.put(Calls.Path.IS_GLOBAL, true);
        path.put(Calls.Path.PORT, 1);
        attributes.put(Calls.QpAttributes.DEST_QP_NUM, number);
        attributes.put(Calls.QpAttributes.PATH_MTU, PathMtu.BYTES_1024.code());
        modify(
                pair,
                Calls.QpState.RTR,
                Calls.QpMask.AV
                        | Calls.QpMask.PATH_MTU
                        | Calls.QpMask.DEST_QPN
                        | Calls.QpMask.RQ_PSN
                        | Calls.QpMask.MAX_DEST_RD_ATOMIC
                        | Calls.QpMask.MIN_RNR_TIMER);
        modify(
                pair,
                Calls.QpState.RTS,
                Calls.QpMask.TIMEOUT
                        | Calls.QpMask.RETRY_CNT
                        | Calls.QpMask.RNR_RETRY
                        | Calls.QpMask.SQ_PSN
                        | Calls.QpMask.MAX_QP_RD_ATOMIC);
        return pair;
    }

    /** Moves a queue pair to a state, and returns its number. */
    private long modify(long pair, int state, long mask) {
        block().from(Calls.ModifyQp.ATTRIBUTES).put(Calls.QpAttributes.QP_STATE, state);
        return call(Calls.ModifyQp.CALL, Calls.ModifyQp.NUMBER, pair, Calls.QpMask.STATE | mask);
    }

    /** Creates a queue pair in ERR, where each request completes at once with an error. */
    long createErrantPair(long domain, long queue, long cookie) {
        long pair = createPair(domain, queue, cookie);
        modify(pair, Calls.QpState.ERR, 0);
        return pair;
    }

    @Override
    public void close() {
        served.network().close();
    }
}
