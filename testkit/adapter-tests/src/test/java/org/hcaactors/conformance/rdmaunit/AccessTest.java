// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.OURS;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.holds;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;
import static org.hcaactors.conformance.rdmaunit.Ground.withoutKey;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The access right that each verb needs at each end, and the events that the owner receives: access_test.cc and
 * async_event_test.cc.
 */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class AccessTest {
    private static final AccessFlags READ_ONLY = AccessFlags.of(Access.REMOTE_READ);

    private final Ground ground;
    private final ConnectedPair pair;

    AccessTest(Wiring wiring) {
        ground = new Ground(wiring);
        pair = ground.pair();
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private static AccessFlags allBut(Access right) {
        return new AccessFlags(AccessFlags.LOCAL_AND_REMOTE.bits() & ~right.bit());
    }

    private MemoryRegion region(End end, AccessFlags rights) {
        return ground.await(end.domain().register(end.memory(), 0, end.memory().lengthBytes(), rights));
    }

    private Status status(RcWork work) {
        return ground.await(pair.a().qp().submit(work)).status();
    }

    static Stream<Arguments> messages() {
        AccessFlags all = AccessFlags.LOCAL_AND_REMOTE;
        return Stream.of(
                arguments(all, all, Status.SUCCESS, Status.SUCCESS),
                arguments(READ_ONLY, all, Status.SUCCESS, Status.SUCCESS),
                arguments(all, READ_ONLY, Status.REM_OP_ERR, Status.LOC_PROT_ERR),
                arguments(all, allBut(Access.REMOTE_WRITE), Status.SUCCESS, Status.SUCCESS));
    }

    @ParameterizedTest
    @MethodSource("messages")
    @Tag("rdma-unit-test:MessagingAccessTest.AllAccess")
    @Tag("rdma-unit-test:MessagingAccessTest.MissingSrcLocalWrite")
    @Tag("rdma-unit-test:MessagingAccessTest.MissingDstLocalWrite")
    @Tag("rdma-unit-test:MessagingAccessTest.MissingDstRemoteWrite")
    void aMessageNeedsLocalWriteAtTheReceiverOnly(AccessFlags from, AccessFlags into, Status sender, Status receiver) {
        pair.b().qp().postReceive(Receive.of(0, whole(region(pair.b(), into))));
        assertThat(status(Send.of(1, whole(region(pair.a(), from))))).isEqualTo(sender);
        assertThat(ground.only(pair.b().recvCq()).status()).isEqualTo(receiver);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:RdmaAccessTest.AllAccess")
    @Tag("rdma-unit-test:AtomicAccessTest.AllAccess")
    void withEveryRightEveryVerbSucceeds(Verb verb) {
        assertThat(status(verb.work(1, whole(pair.a().region()), pair.b().remote(0))))
                .isEqualTo(Status.SUCCESS);
    }

    // rule memory-right-of-verb
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:RdmaAccessTest.MissingSrcLocalWrite")
    @Tag("rdma-unit-test:AtomicAccessTest.MissingSrcLocalWrite")
    void aRequestThatWritesLocallyNeedsLocalWrite(Verb verb) {
        MemoryRegion ours = region(pair.a(), READ_ONLY);
        assertThat(status(verb.work(1, whole(ours), pair.b().remote(0))))
                .isEqualTo(verb == Verb.WRITE ? Status.SUCCESS : Status.LOC_PROT_ERR);
    }

    static Stream<Arguments> verbsAndRemoteRights() {
        return Stream.of(Verb.values())
                .flatMap(verb -> Stream.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC)
                        .map(right -> arguments(verb, right)));
    }

    // rule memory-right-of-verb
    @ParameterizedTest
    @MethodSource("verbsAndRemoteRights")
    @Tag("rdma-unit-test:RdmaAccessTest.MissingDstRemoteWrite")
    @Tag("rdma-unit-test:RdmaAccessTest.MissingDstRemoteRead")
    @Tag("rdma-unit-test:RdmaAccessTest.MissingDstRemoteAtomic")
    @Tag("rdma-unit-test:AtomicAccessTest.MissingDstRemoteWrite")
    @Tag("rdma-unit-test:AtomicAccessTest.MissingDstRemoteRead")
    @Tag("rdma-unit-test:AtomicAccessTest.MissingDstRemoteAtomic")
    void everyVerbNeedsOneRemoteRightOnly(Verb verb, Access missing) {
        MemoryRegion theirs = region(pair.b(), allBut(missing));
        assertThat(status(verb.work(1, whole(pair.a().region()), theirs.remote(0))))
                .isEqualTo(verb.needs() == missing ? Status.REM_ACCESS_ERR : Status.SUCCESS);
    }

    // rule rc-fault-told
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:AsyncEventTest.ReadRKeyViolation")
    @Tag("rdma-unit-test:AsyncEventTest.WriteRKeyViolation")
    void anUnknownKeyRaisesAnAccessErrorAtTheResponder(Verb verb) {
        List<AsyncEvent> events = new ArrayList<>();
        pair.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
        WorkCompletion done = ground.await(pair.a()
                .qp()
                .submit(verb.work(
                        1, whole(pair.a().region()), withoutKey(pair.b().remote(0)))));
        ended(done, 1, Status.REM_ACCESS_ERR, pair.a().qp());
        holds(pair.a().memory(), OURS);
        ground.world().settle();
        assertThat(events)
                .contains(new AsyncEvent(
                        AsyncEvent.Kind.QP_ACCESS_ERR, pair.b().qp().number()));
    }
}
