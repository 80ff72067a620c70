// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.UdRequest;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

// rule post-list
/** Lists of requests and receives: all posted, or those before the first refused one. */
class ListPostingTest {
    private static final int SLOTS = 8;
    private static final QpCapacity CAPACITY =
            QpCapacity.of(SLOTS).withMaxSge(1).withMaxInlineBytes(0);
    private static final QKey KEY = QKey.of(0x1111_1111);

    private final World world = World.of(23);
    private final Adapter here = world.network().addAdapter("a", Profile.CONNECTX_6);
    private final Adapter there = world.network().addAdapter("b", Profile.CONNECTX_6);
    private final Side from = Side.of(world.network(), here, "app", 1 << 16);
    private final Side into = Side.of(world.network(), there, "app", 1 << 16);
    private final CompletionQueue sent = world.await(from.context().createCq(64));
    private final CompletionQueue received = world.await(into.context().createCq(64));

    @AfterEach
    void close() {
        world.close();
    }

    private static QpDescription<RcQueuePair> rc(CompletionQueue sends, CompletionQueue receives) {
        return QpDescription.rc().withSendCq(sends).withRecvCq(receives).withCapacity(CAPACITY);
    }

    private QpPair<RcQueuePair> pair() {
        return world.await(QpPair.connectRc(
                from.domain(), rc(sent, sent), into.domain(), rc(received, received), RcConnection.DEFAULT));
    }

    private Send request(long id) {
        return Send.of(id, from.slice(id * 8, 8)).withSignaled();
    }

    /** Has two elements, where one is allowed. */
    private Send tooLong(long id) {
        return Send.of(id, from.slice(0, 8), from.slice(8, 8)).withSignaled();
    }

    private List<RcWork> requests(long first, long end) {
        return LongStream.range(first, end).<RcWork>mapToObj(this::request).toList();
    }

    private List<Receive> receives(long first, long end) {
        return LongStream.range(first, end)
                .mapToObj(id -> Receive.of(id, into.slice(id * 64, 64)))
                .toList();
    }

    private List<Long> ids(CompletionQueue queue) {
        world.settle();
        return world.await(queue.poll(64)).stream().map(WorkCompletion::workId).toList();
    }

    private static void isRefused(int index, Errno errno, String what, Executable post) {
        assertThatThrownBy(post::execute)
                .isInstanceOfSatisfying(PostRefusedException.class, refused -> {
                    assertThat(refused.index()).isEqualTo(index);
                    assertThat(refused.errno()).isEqualTo(errno);
                })
                .hasMessageContaining(what);
    }

    @Test
    void requestsAndReceivesOfListsCompleteInOrder() {
        QpPair<RcQueuePair> pair = pair();
        pair.remote().postReceive(receives(0, 5));
        pair.local().post(requests(0, 5));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(ids(received)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void anEmptyListHasNoEffect() {
        RcQueuePair fresh = world.await(from.domain().createQp(rc(sent, sent)));
        fresh.post(List.of());
        fresh.postReceive(List.of());
        assertThat(ids(sent)).isEmpty();
    }

    @Test
    void theFirstRefusedRequestEndsTheList() {
        QpPair<RcQueuePair> pair = pair();
        pair.remote().postReceive(receives(0, 5));
        isRefused(
                2,
                Errno.ENOMEM,
                "element 2 of the list is refused: the request has 2 elements",
                () -> pair.local().post(List.of(request(0), request(1), tooLong(2), request(3))));
        pair.local().post(request(4));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent)).containsExactly(0L, 1L, 4L);
    }

    @Test
    void aListLongerThanTheFreeSlotsIsPostedInPart() {
        QpPair<RcQueuePair> pair = pair();
        isRefused(SLOTS, Errno.ENOMEM, "full", () -> pair.remote().postReceive(receives(0, SLOTS + 1)));
        pair.local().post(request(0));
        isRefused(SLOTS - 1, Errno.ENOMEM, "full", () -> pair.local().post(requests(1, 3 * SLOTS)));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent))
                .containsExactlyElementsOf(LongStream.range(0, SLOTS).boxed().toList());
    }

    private static void refusesWhole(Errno errno, Executable post) {
        assertThatThrownBy(post::execute)
                .isNotInstanceOf(PostRefusedException.class)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    @Test
    void aWholeListIsPostedOrNothingOfIt() {
        QpPair<RcQueuePair> pair = pair();
        pair.remote().postReceive(receives(0, SLOTS));
        pair.local().postWhole(List.of());
        refusesWhole(Errno.ENOMEM, () -> pair.local().postWhole(List.of(request(0), request(1), tooLong(2))));
        refusesWhole(Errno.ENOMEM, () -> pair.local().postWhole(requests(0, SLOTS + 1)));
        pair.local().post(request(0));
        refusesWhole(Errno.ENOMEM, () -> pair.local().postWhole(requests(1, SLOTS + 1)));
        pair.local().postWhole(requests(1, SLOTS));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent))
                .containsExactlyElementsOf(LongStream.range(0, SLOTS).boxed().toList());
    }

    @Test
    @SuppressWarnings("NullAway") // null is what it passes
    void nothingIsPostedIfAnElementIsNull() {
        QpPair<RcQueuePair> pair = pair();
        assertThatThrownBy(() -> pair.local().post(Arrays.asList(request(0), null)))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() ->
                        pair.remote().postReceive(Arrays.asList(receives(0, 1).getFirst(), null)))
                .isInstanceOf(NullPointerException.class);
        world.await(pair.local().modify(QpModify.to(QpState.ERR)));
        assertThat(ids(sent)).isEmpty();
    }

    @Test
    void aStateWithoutPostsRefusesTheFirstElement() {
        RcQueuePair fresh = world.await(from.domain().createQp(rc(sent, sent)));
        isRefused(0, Errno.EINVAL, "is in RESET", () -> fresh.post(requests(0, 2)));
        isRefused(0, Errno.EINVAL, "is in RESET", () -> fresh.postReceive(receives(0, 2)));
        refusesWhole(Errno.EINVAL, () -> fresh.postWhole(requests(0, 2)));
        world.await(fresh.destroy());
        isRefused(0, Errno.EINVAL, "is closed", () -> fresh.post(requests(0, 2)));
        refusesWhole(Errno.EINVAL, () -> fresh.postWhole(requests(0, 2)));
    }

    @Test
    void anAdapterThatDropsEarlyRequestsDropsTheList() {
        Adapter eve = world.network().addAdapter("eve", Profile.CONNECTX_6.with(Quirk.DROPS_POSTS_BEFORE_RTS));
        Side side = Side.of(world.network(), eve, "app", 4096);
        CompletionQueue cq = world.await(side.context().createCq(64));
        RcQueuePair fresh = world.await(side.domain().createQp(rc(cq, cq)));
        fresh.post(requests(0, 3L * SLOTS));
        fresh.postWhole(requests(0, 3L * SLOTS));
        assertThat(ids(cq)).isEmpty();
    }

    @Test
    void receivesOfASharedQueueAreTakenInOrderOfTheList() {
        SharedReceiveQueue srq =
                world.await(into.domain().createSrq(SrqDescription.of(7).withMaxSge(1)));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                from.domain(),
                rc(sent, sent),
                into.domain(),
                rc(received, received).withSrq(srq),
                RcConnection.DEFAULT));
        isRefused(0, Errno.EINVAL, "shared receive queue", () -> pair.remote().postReceive(receives(0, 2)));
        Receive wide = Receive.of(9, into.slice(0, 8), into.slice(8, 8), into.slice(16, 8), into.slice(24, 8));
        List<Receive> mixed = new ArrayList<>(receives(0, 2));
        mixed.add(wide);
        isRefused(2, Errno.EINVAL, "elements", () -> srq.postReceive(mixed));
        isRefused(5, Errno.ENOMEM, "full", () -> srq.postReceive(receives(2, 20)));
        pair.local().post(requests(0, 7));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(received)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void anUnreliableQueuePairPostsLists() {
        QpDescription<UcQueuePair> mine = QpDescription.uc().withSendCq(sent).withCapacity(CAPACITY);
        QpPair<UcQueuePair> pair = world.await(QpPair.connectUc(
                from.domain(),
                mine,
                into.domain(),
                QpDescription.uc().withRecvCq(received).withCapacity(CAPACITY)));
        pair.remote().postReceive(receives(0, 3));
        pair.local().post(List.of(request(0), request(1), request(2)));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent)).containsExactly(0L, 1L, 2L);
        assertThat(ids(received)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void eachDatagramOfAListHasItsOwnAddress() {
        UdQueuePair one = datagrams(from, sent);
        UdQueuePair first = datagrams(into, received);
        UdQueuePair second = datagrams(into, received);
        for (UdQueuePair each : List.of(first, second)) {
            each.postReceive(receives(each.number(), each.number() + 1));
        }
        UdAddress to = UdAddress.of(
                world.await(from.domain().createAddressHandle(AddressVector.to(there.gid()))), first.number(), KEY);
        UdAddress other = UdAddress.of(to.addressHandle(), second.number(), KEY);
        UdAddress wrong = UdAddress.of(to.addressHandle(), 1 << 24, KEY);
        one.post(List.of(new UdRequest(other, request(0)), new UdRequest(to, request(1))));
        isRefused(
                1,
                Errno.EINVAL,
                "queue pair number",
                () -> one.post(List.of(new UdRequest(to, request(2)), new UdRequest(wrong, request(3)))));
        refusesWhole(
                Errno.EINVAL,
                () -> one.postWhole(List.of(new UdRequest(to, request(4)), new UdRequest(wrong, request(5)))));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ids(sent)).containsExactly(0L, 1L, 2L);
        assertThat(ids(received)).containsExactlyInAnyOrder((long) first.number(), (long) second.number());
    }

    private UdQueuePair datagrams(Side side, CompletionQueue cq) {
        UdQueuePair made = world.await(side.domain()
                .createQp(QpDescription.ud().withSendCq(cq).withRecvCq(cq).withCapacity(CAPACITY)));
        world.await(made.activate(KEY));
        return made;
    }
}
