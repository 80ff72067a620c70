// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every error completion of a reliable connection is traced back to its real cause. */
class ExplainedCompletionsTest {
    private final World world = World.of(3);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");
    private final List<WorkCompletion> received = new ArrayList<>();

    @AfterEach
    void close() {
        world.close();
    }

    private ConnectedPair connect(RcConnection attributes) {
        ConnectedPair pair = world.connect(a, b, Shape.DEFAULT.with(attributes));
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
        return pair;
    }

    private ConnectedPair connect() {
        return connect(RcConnection.DEFAULT
                .withTimeoutCode(8)
                .withRetryCount(2)
                .withRnrRetry(2)
                .withMinRnrTimerCode(1));
    }

    private Explanation explain(WorkCompletion completion) {
        Explanation explanation =
                Explainer.of(world.trace()).explain(completion).orElseThrow();
        return explanation;
    }

    private Explanation fails(ConnectedPair pair, RcWork work, Status status) {
        WorkCompletion completion = world.await(pair.a().qp().submit(work));
        world.runToQuiet(Duration.ofSeconds(3));
        assertThat(completion.status()).isEqualTo(status);
        return explain(completion);
    }

    private Explanation receiveFails(Status status) {
        return explain(received.stream()
                .filter(completion -> completion.status() == status)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no receive ended with " + status + " but " + received)));
    }

    private static RdmaWrite write(ConnectedPair pair, int bytes) {
        return RdmaWrite.of(7, pair.a().slice(0, bytes), pair.b().remote(0));
    }

    @Test
    void retriesRunOutBecauseARuleDroppedEachPacket() {
        ConnectedPair pair = connect();
        world.faults().on(packet().write().from(a)).drop();
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.what())
                .isEqualTo("request 7 of " + pair.a().label() + " (RDMA_WRITE 64 bytes) ended with RETRY_EXC_ERR");
        assertThat(reason.because())
                .anyMatch(line -> line.contains("gave up") && line.contains("retry count 2 is exhausted"));
        assertThat(reason.because()).anyMatch(line -> line.contains("3 times from"));
        assertThat(reason.root())
                .contains("WRITE_ONLY")
                .contains("drop WRITE from a")
                .contains("(3 times)");
    }

    @Test
    void retriesRunOutBecauseEachAcknowledgementWasLost() {
        ConnectedPair pair = connect();
        world.faults().on(packet().ack().from(b)).drop();
        Explanation reason = fails(pair, write(pair, 3000), Status.RETRY_EXC_ERR);
        assertThat(reason.root())
                .contains("b's ACK")
                .contains("drop ACK from b")
                .contains("(7 times)");
    }

    @Test
    void aFailedRequestNamesItsExecutionByThePeer() {
        ConnectedPair pair = connect();
        world.faults().on(packet().response().from(b)).drop();
        Explanation reason =
                fails(pair, FetchAdd.of(7, pair.a().slice(0, 8), pair.b().remote(8), 1), Status.RETRY_EXC_ERR);
        assertThat(reason.what())
                .matches(".* ended with RETRY_EXC_ERR, although its peer had executed it at [0-9.]+ us");
    }

    @Test
    void aFailedReadIsNotNamedAsExecuted() {
        ConnectedPair pair = connect();
        world.faults().on(packet().response().from(b)).drop();
        Explanation reason =
                fails(pair, RdmaRead.of(7, pair.a().slice(0, 8), pair.b().remote(8)), Status.RETRY_EXC_ERR);
        assertThat(reason.what()).endsWith(" ended with RETRY_EXC_ERR");
    }

    @Test
    void retriesRunOutBecauseTheLastPacketOfTheMessageIsAlwaysLost() {
        ConnectedPair pair = connect();
        world.faults().on(packet().opcode(Opcode.RC_WRITE_LAST)).corruptPayload();
        Explanation reason = fails(pair, write(pair, 3000), Status.RETRY_EXC_ERR);
        assertThat(reason.root()).contains("WRITE_LAST").contains("bad ICRC").contains("(4 times)");
    }

    @Test
    void retriesRunOutBecauseTheAnswersAreLate() {
        ConnectedPair pair = connect();
        world.faults().on(packet().ack()).delay(Duration.ofMillis(100));
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.root()).contains("b's ACK").contains("delay");
    }

    @Test
    void retriesRunOutBecauseThePeerIsInError() {
        ConnectedPair pair = connect();
        world.await(pair.b().qp().modify(QpModify.to(QpState.ERR)));
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.because())
                .anyMatch(line ->
                        line.contains(pair.b().label() + " ignored") && line.contains("the queue pair is in ERR"));
        assertThat(reason.root()).isEqualTo(pair.b().label() + " changed from RTS to ERR: modified to ERR");
    }

    @Test
    void retriesRunOutBecauseThePeerIsDestroyed() {
        ConnectedPair pair = connect();
        world.await(pair.b().qp().destroy());
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.root()).contains("queue pair");
    }

    @Test
    void retriesRunOutBecauseTheCableIsOut() {
        ConnectedPair pair = connect();
        world.faults().now().unplug(b);
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.root()).contains("port is down");
    }

    @Test
    void receiverNotReadyBecauseNoReceiveWasPosted() {
        ConnectedPair pair = connect();
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 8)), Status.RNR_RETRY_EXC_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("RNR retry count 2 is exhausted"));
        assertThat(reason.root())
                .contains("b's RNR")
                .contains("no receive is posted")
                .contains("(3 times)");
    }

    @Test
    void receiverNotReadyBecauseOfAFault() {
        ConnectedPair pair = connect();
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        world.faults().now().answerRnr(b, pair.b().qp(), 10);
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 8)), Status.RNR_RETRY_EXC_ERR);
        assertThat(reason.root()).contains("a test withholds its receives");
    }

    @ParameterizedTest
    @CsvSource({
        "0x12345678, 0, 64, is not registered",
        "0, 1048570, 64, covers 1048576 bytes",
    })
    void remoteAccessIsDeniedByTheKey(String key, long offset, int bytes, String root) {
        ConnectedPair pair = connect();
        int rkey = Integer.decode(key) == 0 ? pair.b().region().rkey() : Integer.decode(key);
        RdmaWrite write = RdmaWrite.of(
                7,
                pair.a().slice(0, bytes),
                new RemoteAddress(rkey, pair.b().remote(offset).address()));
        Explanation reason = fails(pair, write, Status.REM_ACCESS_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("its peer answered NAK remote access"));
        assertThat(reason.root())
                .startsWith(pair.b().label() + ": R_Key 0x%08x ".formatted(rkey))
                .contains(root);
    }

    @Test
    void remoteAccessIsDeniedBecauseTheRegionDoesNotAllowIt() {
        ConnectedPair pair = connect();
        MemoryRegion readOnly = world.await(pair.b().domain().register(pair.b().memory(), Access.REMOTE_READ));
        Explanation reason =
                fails(pair, RdmaWrite.of(7, pair.a().slice(0, 8), readOnly.remote(0)), Status.REM_ACCESS_ERR);
        assertThat(reason.root()).contains("does not allow REMOTE_WRITE");
    }

    @Test
    void remoteAccessIsDeniedBecauseTheRegionBelongsToAnotherDomain() {
        ConnectedPair pair = connect();
        MemoryRegion foreign = world.await(pair.b()
                .context()
                .allocatePd()
                .register(Registration.of(pair.b().memory()).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        Explanation reason =
                fails(pair, RdmaRead.of(7, pair.a().slice(0, 8), foreign.remote(0)), Status.REM_ACCESS_ERR);
        assertThat(reason.root()).contains("belongs to protection domain");
    }

    @Test
    void theRequestIsInvalidBecauseTheQueuePairDoesNotAllowIt() {
        ConnectedPair pair = connect(RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_READ)));
        Explanation reason = fails(pair, write(pair, 8), Status.REM_INV_REQ_ERR);
        assertThat(reason.root()).isEqualTo(pair.b().label() + ": the queue pair does not allow REMOTE_WRITE");
    }

    @Test
    void theRequestIsInvalidBecauseAnAtomicIsNotAligned() {
        ConnectedPair pair = connect();
        Explanation reason =
                fails(pair, FetchAdd.of(7, pair.a().slice(0, 8), pair.b().remote(4), 1), Status.REM_INV_REQ_ERR);
        assertThat(reason.root()).contains("not a multiple of 8");
    }

    @Test
    void aMessageTooLongIsExplainedOnBothSides() {
        ConnectedPair pair = connect();
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 16)));
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 64)), Status.REM_INV_REQ_ERR);
        assertThat(reason.root()).contains("a message longer than its receive of 16 bytes");
        Explanation there = receiveFails(Status.LOC_LEN_ERR);
        assertThat(there.what()).isEqualTo("receive 5 of " + pair.b().label() + " ended with LOC_LEN_ERR");
        assertThat(there.because())
                .anyMatch(line -> line.contains("for request 1 of " + pair.a().label()));
        assertThat(there.root()).contains("a message longer than its receive of 16 bytes");
    }

    @Test
    void onSoftRoceAMessageTooLongIsAnOperationError() {
        Adapter c = world.network().addAdapter("c", Profile.SOFT_ROCE, World.DEFAULT_LINK);
        ConnectedPair pair = world.connect(a, c);
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 16)));
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 64)), Status.REM_OP_ERR);
        assertThat(reason.root()).contains("a message longer than its receive of 16 bytes");
        assertThat(receiveFails(Status.LOC_QP_OP_ERR).root()).contains("longer than its receive");
    }

    @Test
    void thePeersReceiveLiesInMemoryThatWasDeregistered() {
        ConnectedPair pair = connect();
        MemoryRegion gone = world.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE));
        pair.b().qp().postReceive(Receive.of(5, gone.slice(0, 64)));
        world.await(gone.deregister());
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 64)), Status.REM_OP_ERR);
        assertThat(reason.root()).contains("the receive's memory: L_Key").contains("is not registered");
        assertThat(receiveFails(Status.LOC_PROT_ERR).root()).contains("is not registered");
    }

    @Test
    void aDeniedImmediateExplainsItsReceive() {
        ConnectedPair pair = connect();
        MemoryRegion readOnly = world.await(pair.b().domain().register(pair.b().memory(), Access.REMOTE_READ));
        pair.b().qp().postReceive(Receive.of(5));
        RdmaWrite write =
                RdmaWrite.of(7, pair.a().slice(0, 8), readOnly.remote(0)).withImmediate(3);
        fails(pair, write, Status.REM_ACCESS_ERR);
        assertThat(receiveFails(Status.LOC_ACCESS_ERR).root()).contains("does not allow REMOTE_WRITE");
    }

    @Test
    void aReceiveEndsBecauseItsMessageWasRewritten() {
        ConnectedPair pair = connect();
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 4096)));
        world.faults()
                .on(packet().opcode(Opcode.RC_SEND_FIRST))
                .rewrite(
                        "half the payload",
                        packet -> packet.withPayload(packet.payload().slice(0, 512)));
        Explanation reason = fails(pair, Send.of(1, pair.a().slice(0, 2048)), Status.REM_INV_REQ_ERR);
        assertThat(reason.root()).contains("half the payload");
        Explanation there = receiveFails(Status.REM_INV_REQ_ERR);
        assertThat(there.because()).anyMatch(line -> line.contains("SEND_FIRST with 512 bytes at a path MTU of 1024"));
        assertThat(there.root()).contains("half the payload");
    }

    @Test
    void localMemoryIsDeniedBecauseItsKeyIsDeregistered() {
        ConnectedPair pair = connect();
        MemoryRegion gone = world.await(pair.a().domain().register(pair.a().memory(), Access.LOCAL_WRITE));
        RdmaWrite write = RdmaWrite.of(7, gone.slice(0, 64), pair.b().remote(0));
        world.await(gone.deregister());
        assertThat(fails(pair, write, Status.LOC_PROT_ERR).root())
                .startsWith(pair.a().label() + ": L_Key 0x%08x".formatted(gone.lkey()))
                .contains("is not registered");
    }

    @Test
    void aReadCannotBeStoredBecauseItsRegionIsReadOnly() {
        ConnectedPair pair = connect();
        MemoryRegion sink = world.await(pair.a().domain().register(pair.a().memory()));
        assertThat(fails(pair, RdmaRead.of(7, sink.slice(0, 64), pair.b().remote(0)), Status.LOC_PROT_ERR)
                        .root())
                .contains("does not allow LOCAL_WRITE");
    }

    @Test
    void aReadNeedsMaxRdAtomic() {
        ConnectedPair pair = connect(RcConnection.DEFAULT.withRdAtomic(0));
        assertThat(fails(pair, RdmaRead.of(7, pair.a().slice(0, 8), pair.b().remote(0)), Status.LOC_QP_OP_ERR)
                        .root())
                .isEqualTo(pair.a().label() + ": the queue pair's max_rd_atomic is 0");
    }

    @Test
    void aRegionIsNotInvalidated() {
        ConnectedPair pair = connect();
        int key = pair.a().slice(0, 8).lkey();
        assertThat(fails(pair, LocalInvalidate.of(7, key), Status.LOC_QP_OP_ERR).root())
                .contains("key 0x%08x is of a kind that does not support this change".formatted(key));
    }

    @Test
    void anAtomicNeedsEightBytes() {
        ConnectedPair pair = connect();
        assertThat(fails(pair, FetchAdd.of(7, pair.a().slice(0, 4), pair.b().remote(0), 1), Status.LOC_LEN_ERR)
                        .root())
                .contains("an atomic into 4 bytes; it requires 8");
    }

    @Test
    void aBadResponseWasMadeOnTheWay() {
        ConnectedPair pair = connect();
        world.faults()
                .on(packet().readResponse())
                .first()
                .rewrite(
                        "a byte short",
                        packet -> packet.withPayload(
                                packet.payload().slice(0, packet.payload().length() - 1)));
        Explanation reason =
                fails(pair, RdmaRead.of(7, pair.a().slice(0, 64), pair.b().remote(0)), Status.BAD_RESP_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("has the wrong position"));
        assertThat(reason.root()).contains("on its way from b").contains("a byte short");
    }

    @Test
    void anUnknownSyndromeWasMadeOnTheWay() {
        ConnectedPair pair = connect();
        world.faults()
                .on(packet().ack())
                .first()
                .rewrite(
                        "a reserved syndrome",
                        packet -> new Packet(
                                packet.route(),
                                packet.bth(),
                                List.of(new ExtendedHeader.Aeth(
                                        0x7F, packet.aeth().msn())),
                                Octets.NONE));
        Explanation reason = fails(pair, write(pair, 8), Status.BAD_RESP_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("its peer answered syndrome 0x7f"));
        assertThat(reason.root()).contains("a reserved syndrome");
    }

    @Test
    void aFlushIsExplainedByTheFailedRequestAndItsCause() {
        ConnectedPair pair = connect();
        world.faults().on(packet().write().from(a)).drop();
        pair.a().qp().submit(write(pair, 64));
        Explanation reason = fails(pair, Send.of(8, pair.a().slice(0, 8)), Status.WR_FLUSH_ERR);
        assertThat(reason.because())
                .anyMatch(line -> line.contains(pair.a().label() + " changed from RTS to ERR: a request failed"))
                .anyMatch(line -> line.contains("request 7 ended with RETRY_EXC_ERR"));
        assertThat(reason.root()).contains("drop WRITE from a");
        WorkCompletion later =
                world.await(pair.a().qp().submit(Send.of(9, pair.a().slice(0, 8))));
        assertThat(later.status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(explain(later).root()).contains("drop WRITE from a");
    }

    @Test
    void aFlushBecauseTheProgramModifiedTheQueuePair() {
        ConnectedPair pair = connect();
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 64)));
        world.await(pair.b().qp().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(receiveFails(Status.WR_FLUSH_ERR).root())
                .isEqualTo(pair.b().label() + " changed from RTS to ERR: modified to ERR");
    }

    @Test
    void aFlushedReceiveIsTracedToTheRefusedRequest() {
        ConnectedPair pair = connect(RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_READ)));
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 64)));
        fails(pair, write(pair, 8), Status.REM_INV_REQ_ERR);
        Explanation reason = receiveFails(Status.WR_FLUSH_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("a peer's request was refused"));
        assertThat(reason.root()).contains("does not allow REMOTE_WRITE");
    }

    @Test
    void aFlushBecauseAFaultCrashedTheActor() {
        ConnectedPair pair = connect();
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(0, 64)));
        world.faults().now().crash(b, pair.b().qp());
        world.runToQuiet(Duration.ofSeconds(3));
        Explanation reason = receiveFails(Status.WR_FLUSH_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("its actor crashed"));
        assertThat(reason.root())
                .startsWith("the testkit: crash b/qp-" + pair.b().qp().number());
    }

    @Test
    void aSuccessIsExplainedByItsRetransmissions() {
        ConnectedPair pair = connect();
        world.faults().on(packet().ack()).first().drop();
        Explanation reason = fails(pair, write(pair, 8), Status.SUCCESS);
        assertThat(reason.because())
                .anyMatch(line -> line.contains("was sent again") && line.contains("timeout"))
                .anyMatch(line -> line.contains("it was answered: ACK"));
        assertThat(reason.root()).contains("b's ACK psn 0").contains("drop the 1st ACK");
    }

    @Test
    void aCompletionOutsideTheTraceIsNotExplained() {
        WorkCompletion never =
                WorkCompletion.of(1, Status.RETRY_EXC_ERR, CompletionKind.SEND, 99, 0, OptionalInt.empty());
        assertThat(Explainer.of(world.trace()).explain(never)).isEmpty();
    }

    @Test
    void theLadderShowsTheEventsOfTheExplanation() {
        ConnectedPair pair = connect();
        world.faults().on(packet().write().from(a)).drop();
        Explanation reason = fails(pair, write(pair, 64), Status.RETRY_EXC_ERR);
        assertThat(reason.ladder()).anyMatch(line -> line.contains("posts 7")).anyMatch(line -> line.contains("✗"));
        assertThat(reason.ladder()).hasSizeLessThan(26);
    }

    @Test
    void theLadderHasItsPortsInTheOrderOfTheirNames() {
        ConnectedPair pair = connect();
        WorkCompletion back = world.await(pair.b()
                .qp()
                .submit(RdmaWrite.of(8, pair.b().slice(0, 64), pair.a().remote(0))));
        assertThat(world.explain(back).ladder().getFirst()).matches(" *time us +a +b");
        assertThat(Ladder.of(world.trace().events()).getFirst()).matches(" *time us +a +b");
    }
}
