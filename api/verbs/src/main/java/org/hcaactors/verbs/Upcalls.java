// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.network.RdmaNetwork;

/**
 * The functions that the C side calls, on any thread of the program. No exception leaves them, as that would end the process:
 * each becomes a number.
 */
final class Upcalls {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Dispatch dispatch;
    private final Posting posting;
    private final Handles handles;
    private final RdmaNetwork network;
    private final RefusalPlan refusals;
    private final RefusedCalls refused;

    Upcalls(Dispatch dispatch, Session session, RefusalPlan refusals, RefusedCalls refused) {
        this.dispatch = dispatch;
        this.handles = session.handles();
        network = session.served().network();
        this.refusals = refusals;
        this.refused = refused;
        posting = new Posting(handles, refused, refusals);
    }

    /**
     * Writes pointers to the functions, which remain for as long as the process.
     *
     * @param table address of the pointers
     * @throws ReflectiveOperationException never: the functions are here
     */
    void install(long table) throws ReflectiveOperationException {
        install(table, Calls.UPCALL_CALL, "call", FunctionDescriptor.of(INT, INT, LONG));
        install(table, Calls.UPCALL_POST_SEND, "postSend", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT));
        install(table, Calls.UPCALL_POST_RECEIVE, "postReceive", FunctionDescriptor.of(LONG, LONG, LONG, INT));
        install(table, Calls.UPCALL_POLL, "poll", FunctionDescriptor.of(INT, LONG, INT, LONG));
        install(table, Calls.UPCALL_ARM, "arm", FunctionDescriptor.of(INT, LONG, INT));
        install(table, Calls.UPCALL_PROGRESS, "progress", FunctionDescriptor.of(INT));
    }

    private void install(long table, int index, String method, FunctionDescriptor signature)
            throws ReflectiveOperationException {
        MethodType type = signature.toMethodType();
        MethodHandle bound = MethodHandles.lookup().bind(this, method, type);
        long pointer = Linker.nativeLinker()
                .upcallStub(bound, signature, Arena.global())
                .address();
        AddressSpace.putLong(table + (long) index * Long.BYTES, pointer);
    }

    int call(int number, long words) {
        try {
            refusals.check(Functions.beginningWith(number));
            dispatch.call(number, new Block(words));
            return Errnos.NONE;
        } catch (Throwable thrown) {
            return refused.errno(Functions.name(number), thrown);
        }
    }

    long postSend(long queuePair, long records, int count, int whole) {
        return posting.send(queuePair, records, count, whole != 0);
    }

    long postReceive(long queue, long records, int count) {
        return posting.receive(queue, records, count);
    }

    int poll(long queue, int max, long records) {
        try {
            return handles.get(queue, VerbsQueue.class).poll(max, records);
        } catch (Throwable thrown) {
            return -refused.errno(Functions.POLL_CQ, thrown);
        }
    }

    /** A thread that polls in vain does the adapter's work, which costs less than to wake the adapter's threads. */
    int progress() {
        try {
            return network.progress();
        } catch (Throwable failed) {
            // A socket that fails is met by the adapter's own threads, which do the work again.
            return 0;
        }
    }

    int arm(long queue, int solicitedOnly) {
        try {
            network.endProgress();
            refusals.check(Functions.REQ_NOTIFY_CQ);
            handles.get(queue, VerbsQueue.class)
                    .queue()
                    .arm(solicitedOnly != 0 ? CompletionQueue.Arm.SOLICITED : CompletionQueue.Arm.ANY);
            return Errnos.NONE;
        } catch (Throwable thrown) {
            return refused.errno(Functions.REQ_NOTIFY_CQ, thrown);
        }
    }
}
