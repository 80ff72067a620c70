// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.hcaactors.api.address.PathMtu;

/**
 * A run that the build records for the AOT cache, in the place of a C program: opens the device, connects a queue pair with
 * itself, and sends. Functions of the C library stand for the routines of the C side.
 */
public final class Train {
    private static final int ROUNDS = 2000;
    private static final int MESSAGE_BYTES = 64;
    private static final int DEPTH = 16;
    private static final int PAGE = 4096;
    private static final int MAX_WORDS = 256;
    private static final int PORT = 1;

    /** 67 ms, tried 7 times, as the classic programs have it. */
    private static final int TIMEOUT = 14;

    private static final int RETRIES = 7;
    private static final int RNR_TIMER = 12;
    private static final int HOPS = 64;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Arena arena = Arena.global();
    private final MemorySegment upcalls = arena.allocate(LONG, Calls.UPCALLS);
    private final MemorySegment words = arena.allocate(LONG, MAX_WORDS);
    private final MemorySegment records = arena.allocate(PAGE, Long.BYTES);
    private final Block block = new Block(words.address());

    private Train() {}

    /** Runs; ends with an exception if a call is refused. */
    public static void main(String[] arguments) throws Throwable {
        new Train().run();
        System.exit(0);
    }

    private void run() throws Throwable {
        check(Start.start(upcalls.address(), routines().address(), Calls.DIGEST), "start");
        long context = open();
        long domain = call(Calls.AllocPd.CALL, Calls.AllocPd.PD, context);
        MemorySegment buffer = arena.allocate(PAGE, PAGE);
        long region = register(domain, buffer.address());
        int lkey = block.number(Calls.RegisterRegion.LKEY);
        long queue = createQueue(context);
        long pair = createPair(domain, queue);
        connect(pair, block.word(Calls.CreateQp.NUMBER));
        for (int round = 0; round < ROUNDS; round++) {
            send(pair, queue, buffer.address(), lkey);
        }
        call(Calls.QueryQp.CALL, Calls.QueryQp.SIGNAL_ALL, pair);
        call(Calls.DestroyQp.CALL, 0, pair);
        call(Calls.DestroyCq.CALL, 0, queue);
        call(Calls.DeregisterRegion.CALL, 0, region);
        call(Calls.DeallocPd.CALL, 0, domain);
        call(Calls.CloseDevice.CALL, 0, context);
        call(Calls.Finish.CALL, 0);
    }

    /** The C library has a function of the same parameters for most; the others are not called here. */
    private MemorySegment routines() {
        MemorySegment table = arena.allocate(LONG, Calls.ROUTINES);
        for (int index = 0; index < Calls.ROUTINES; index++) {
            String name = switch (index) {
                case Calls.ROUTINE_LOAD -> "bcopy";
                case Calls.ROUTINE_STORE -> "memmove";
                default -> "labs";
            };
            table.setAtIndex(LONG, index, function(name).address());
        }
        return table;
    }

    private static MemorySegment function(String name) {
        SymbolLookup library = Linker.nativeLinker().defaultLookup();
        return library.find(name).orElseThrow();
    }

    private MethodHandle upcall(int index, FunctionDescriptor signature) {
        MemorySegment pointer = MemorySegment.ofAddress(upcalls.getAtIndex(LONG, index));
        return Linker.nativeLinker().downcallHandle(pointer, signature);
    }

    private static void check(long errno, String what) {
        if (errno != Errnos.NONE) {
            throw new IllegalStateException(what + ": errno " + errno);
        }
    }

    /** Calls with these words first, and returns a word. */
    private long call(int number, int result, long... first) throws Throwable {
        for (int index = 0; index < first.length; index++) {
            block.put(index, first[index]);
        }
        int errno = (int)
                upcall(Calls.UPCALL_CALL, FunctionDescriptor.of(INT, INT, LONG)).invokeExact(number, block.address());
        check(errno, Calls.function(number));
        return block.word(result);
    }

    private long open() throws Throwable {
        call(Calls.CountDevices.CALL, Calls.CountDevices.COUNT);
        call(Calls.DescribeDevice.CALL, Calls.DescribeDevice.GUID, 0);
        call(Calls.QueryDevice.CALL, Calls.QueryDevice.MAX_QP, 0);
        call(Calls.QueryPort.CALL, Calls.QueryPort.STATE, 0, PORT);
        return call(Calls.OpenDevice.CALL, Calls.OpenDevice.CONTEXT, 0, 1);
    }

    private long register(long domain, long address) throws Throwable {
        long access = Calls.Access.LOCAL_WRITE | Calls.Access.REMOTE_WRITE | Calls.Access.REMOTE_READ;
        return call(Calls.RegisterRegion.CALL, Calls.RegisterRegion.REGION, domain, address, PAGE, address, access);
    }

    private long createQueue(long context) throws Throwable {
        MemorySegment producer = arena.allocate(LONG);
        clear();
        block.put(Calls.CreateCq.CQE, DEPTH);
        block.put(Calls.CreateCq.CHANNEL, true);
        block.put(Calls.CreateCq.PRODUCER, producer.address());
        return call(Calls.CreateCq.CALL, Calls.CreateCq.CQ, context);
    }

    private void clear() {
        words.fill((byte) 0);
    }

    private long createPair(long domain, long queue) throws Throwable {
        clear();
        block.put(Calls.CreateQp.TYPE, Calls.QpType.RC);
        block.put(Calls.CreateQp.SEND_CQ, queue);
        block.put(Calls.CreateQp.RECV_CQ, queue);
        for (int size : new int[] {Calls.CreateQp.MAX_SEND_WR, Calls.CreateQp.MAX_RECV_WR}) {
            block.put(size, DEPTH);
        }
        for (int size : new int[] {Calls.CreateQp.MAX_SEND_SGE, Calls.CreateQp.MAX_RECV_SGE}) {
            block.put(size, 1);
        }
        return call(Calls.CreateQp.CALL, Calls.CreateQp.QP, domain);
    }

    private void connect(long pair, long number) throws Throwable {
        call(Calls.QueryGid.CALL, Calls.QueryGid.PRESENT, 0, PORT, 0);
        long high = block.word(Calls.QueryGid.GID_HIGH);
        long low = block.word(Calls.QueryGid.GID_LOW);
        clear();
        Block attributes = block.from(Calls.ModifyQp.ATTRIBUTES);
        Block path = attributes.from(Calls.QpAttributes.AH_ATTR);
        path.put(Calls.Path.DGID_HIGH, high);
        path.put(Calls.Path.DGID_LOW, low);
        path.put(Calls.Path.IS_GLOBAL, true);
        path.put(Calls.Path.HOP_LIMIT, HOPS);
        path.put(Calls.Path.PORT, PORT);
        attributes.put(Calls.QpAttributes.PORT_NUM, PORT);
        attributes.put(Calls.QpAttributes.PATH_MTU, PathMtu.BYTES_1024.code());
        attributes.put(Calls.QpAttributes.DEST_QP_NUM, number);
        attributes.put(Calls.QpAttributes.MAX_RD_ATOMIC, 1);
        attributes.put(Calls.QpAttributes.MAX_DEST_RD_ATOMIC, 1);
        attributes.put(Calls.QpAttributes.MIN_RNR_TIMER, RNR_TIMER);
        attributes.put(Calls.QpAttributes.TIMEOUT, TIMEOUT);
        attributes.put(Calls.QpAttributes.RETRY_CNT, RETRIES);
        attributes.put(Calls.QpAttributes.RNR_RETRY, RETRIES);
        modify(pair, Calls.QpState.INIT, Calls.QpMask.PKEY_INDEX, Calls.QpMask.PORT, Calls.QpMask.ACCESS_FLAGS);
        modify(
                pair,
                Calls.QpState.RTR,
                Calls.QpMask.AV,
                Calls.QpMask.PATH_MTU,
                Calls.QpMask.DEST_QPN,
                Calls.QpMask.RQ_PSN,
                Calls.QpMask.MAX_DEST_RD_ATOMIC,
                Calls.QpMask.MIN_RNR_TIMER);
        modify(
                pair,
                Calls.QpState.RTS,
                Calls.QpMask.TIMEOUT,
                Calls.QpMask.RETRY_CNT,
                Calls.QpMask.RNR_RETRY,
                Calls.QpMask.SQ_PSN,
                Calls.QpMask.MAX_QP_RD_ATOMIC);
    }

    private void modify(long pair, int state, int... mask) throws Throwable {
        block.from(Calls.ModifyQp.ATTRIBUTES).put(Calls.QpAttributes.QP_STATE, state);
        call(
                Calls.ModifyQp.CALL,
                0,
                pair,
                Calls.QpMask.STATE | Arrays.stream(mask).sum());
    }

    private void send(long pair, long queue, long address, int lkey) throws Throwable {
        records.fill((byte) 0);
        records.set(INT, Calls.Receive.SIZE, Calls.Receive.BYTES + Calls.Element.BYTES);
        records.set(INT, Calls.Receive.ELEMENTS, 1);
        element(Calls.Receive.BYTES, address, lkey);
        check(postReceive(pair), "receive");
        records.fill((byte) 0);
        records.set(INT, Calls.Send.SIZE, Calls.Send.BYTES + Calls.Element.BYTES);
        records.set(INT, Calls.Send.OPCODE, Calls.WrOpcode.SEND);
        records.set(INT, Calls.Send.FLAGS, Calls.SendFlag.SIGNALED);
        records.set(INT, Calls.Send.ELEMENTS, 1);
        element(Calls.Send.BYTES, address, lkey);
        check(postSend(pair), "send");
        MethodHandle poll = upcall(Calls.UPCALL_POLL, FunctionDescriptor.of(INT, LONG, INT, LONG));
        for (int done = 0; done < 2; ) {
            int polled = (int) poll.invokeExact(queue, DEPTH, records.address());
            check(Math.min(polled, 0), "poll");
            done += polled;
            if (polled == 0) {
                progress();
            }
        }
    }

    private int progress() throws Throwable {
        return (int) upcall(Calls.UPCALL_PROGRESS, FunctionDescriptor.of(INT)).invokeExact();
    }

    private void element(int offset, long address, int lkey) {
        records.set(LONG, (long) offset + Calls.Element.ADDRESS, address);
        records.set(INT, (long) offset + Calls.Element.LENGTH, MESSAGE_BYTES);
        records.set(INT, (long) offset + Calls.Element.LKEY, lkey);
    }

    private long postReceive(long pair) throws Throwable {
        return (long) upcall(Calls.UPCALL_POST_RECEIVE, FunctionDescriptor.of(LONG, LONG, LONG, INT))
                .invokeExact(pair, records.address(), 1);
    }

    private long postSend(long pair) throws Throwable {
        return (long) upcall(Calls.UPCALL_POST_SEND, FunctionDescriptor.of(LONG, LONG, LONG, INT, INT))
                .invokeExact(pair, records.address(), 1, 0);
    }
}
