// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rendezvous messages over DC, whose data the receiver's adapter fetches through a DC target of the sender. */
class DcRendezvousTest {
    private static final long KEY = 0xD0C5_0000_0000_0001L;
    private static final int TAG = 0x77;
    private static final int MEMORY = 1 << 18;
    private static final int PLACE = 1 << 14;
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withTimeoutCode(8).withRetryCount(2).withRnrRetry(6);

    private final World world = World.of(181);
    private final Adapter node = world.network().addAdapter("tagged", Profile.CONNECTX_6, World.DEFAULT_LINK);
    private final Side into = Side.of(world.network(), node, "receiver", MEMORY);
    private final CompletionQueue completions = world.await(into.context().createCq(256));
    private final List<WorkCompletion> received = new ArrayList<>();

    DcRendezvousTest() {
        completions.completions().subscribe(Subscribers.forEach(received::add));
    }

    private List<Gid> gids() {
        return node.port(1).gidTable();
    }

    private Gid address() {
        return gids().stream().filter(Gid::isIpv4).findFirst().orElseThrow();
    }

    @AfterEach
    void close() {
        world.close();
    }

    /** A tag-matching queue, and the DC target for messages to it. */
    private final class TargetSide {
        final TagSharedReceiveQueue queue;
        final DcTarget target;

        TargetSide(UnaryOperator<TagMatching> attributes) {
            queue = world.await(into.domain()
                    .createSrq(SrqDescription.DEFAULT.withTagMatching(attributes.apply(TagMatching.of(completions)))));
            target = world.await(
                    into.domain().createDcTarget(DcTargetDescription.of(completions, queue, DcAccessKey.of(KEY))));
            GlobalRoute from = GlobalRoute.to(address()).withSourceGidIndex(gids().indexOf(address()));
            world.await(target.modify(RcConnection.DEFAULT.toInit()));
            world.await(target.modify(QpModify.to(
                    QpState.RTR,
                    new QpAttribute.MinRnrTimer(12),
                    new QpAttribute.Av(AddressVector.to(from)),
                    new QpAttribute.Mtu(PathMtu.BYTES_1024))));
        }

        void waits(long id) {
            queue.add(TagAdd.of(id, Receive.of(id, into.slice(id * PLACE, PLACE)), TAG));
        }
    }

    private final class Sender {
        final Side from;
        final DcInitiator initiator;
        final DcTarget target;
        final DcAddress to;
        final List<WorkCompletion> told = new ArrayList<>();

        Sender(String name, TargetSide receiving) {
            from = Side.of(
                    world.network(),
                    world.network().addAdapter(name, Profile.CONNECTX_6, World.DEFAULT_LINK),
                    "sender",
                    MEMORY);
            CompletionQueue finished = world.await(from.context().createCq(64));
            finished.completions().subscribe(Subscribers.forEach(told::add));
            SharedReceiveQueue receives = world.await(from.domain().createSrq(SrqDescription.DEFAULT));
            for (int i = 0; i < 4; i++) {
                receives.postReceive(Receive.of(i, from.slice(i * 64L, 64)));
            }
            target = world.await(
                    from.domain().createDcTarget(DcTargetDescription.of(finished, receives, DcAccessKey.of(KEY))));
            world.await(target.open(RcConnection.DEFAULT));
            initiator = world.await(from.domain().createQp(QpDescription.dc()));
            world.await(initiator.open(RcConnection.DEFAULT));
            to = DcAddress.of(
                    world.await(from.domain().createAddressHandle(AddressVector.to(address()))),
                    receiving.target.number(),
                    DcAccessKey.of(KEY));
        }

        /** Sends a message whose data stays in the slot of its number. */
        WorkCompletion leaves(int number, long key, byte... data) {
            from.memory().write((long) number * PLACE, data);
            return world.await(posts(number, left(number, from.remote((long) number * PLACE), data.length, key)));
        }

        byte[] left(int number, RemoteAddress at, int length, long key) {
            ByteBuffer headers =
                    ByteBuffer.allocate(TagHeader.BYTES + RendezvousHeader.BYTES + RendezvousAddressHeader.BYTES);
            TagHeader.rendezvous(number, TAG).write(headers);
            new RendezvousHeader(at, length).write(headers);
            RendezvousAddressHeader.of(target.number(), DcAccessKey.of(key)).write(headers);
            return headers.array();
        }

        WorkCompletion sends(int number, byte[] message) {
            return world.await(posts(number, message));
        }

        CompletionStage<WorkCompletion> posts(int number, byte[] message) {
            long at = MEMORY / 2 + number * 64L;
            from.memory().write(at, message);
            return initiator.submit(to, Send.of(number, from.slice(at, message.length)));
        }
    }

    private static byte[] data(int length, int fill) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) fill);
        return bytes;
    }

    private List<WorkCompletion> received() {
        world.runFor(Duration.ofMillis(20));
        List<WorkCompletion> all = List.copyOf(received);
        received.clear();
        return all;
    }

    private static TagInfo said(WorkCompletion of) {
        return of.tagging().orElseThrow();
    }

    // rules rendezvous-dc, rendezvous-finish, tag-completion
    @Test
    void theQueuesInitiatorFetchesTheDataAndNotifiesTheSender() {
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender sender = new Sender("sender", receiving);
        receiving.waits(3);
        byte[] data = data(9000, 5);
        assertThat(sender.leaves(2, KEY, data).isSuccess()).isTrue();
        List<WorkCompletion> got = received();
        assertThat(got)
                .extracting(DcRendezvousTest::said)
                .containsExactly(TagInfo.match(new TagInfo.Info(TAG, 2)), TagInfo.DATA);
        assertThat(got).extracting(WorkCompletion::qpNumber).containsOnly(receiving.target.number());
        assertThat(into.memory().read(3L * PLACE, data.length)).isEqualTo(data);
        assertThat(sender.told).hasSize(1);
        assertThat(TagHeader.read(ByteBuffer.wrap(sender.from.memory().read(0, TagHeader.BYTES))))
                .as("with the sender's own context")
                .hasValue(TagHeader.rendezvous(2, TAG).finished());
    }

    // rules rendezvous-dc, rendezvous-incomplete
    @Test
    void withoutAnInitiatorTheProgramFetches() {
        TargetSide receiving = new TargetSide(attributes -> attributes);
        Sender sender = new Sender("sender", receiving);
        receiving.waits(3);
        sender.leaves(2, KEY, data(100, 5));
        assertThat(received()).singleElement().satisfies(left -> {
            assertThat(left.status()).isEqualTo(Status.TM_RNDV_INCOMPLETE);
            assertThat(left.lengthBytes()).isEqualTo(RendezvousHeader.BYTES + RendezvousAddressHeader.BYTES);
        });
        ByteBuffer message = ByteBuffer.wrap(into.memory().read(3L * PLACE, 32));
        assertThat(RendezvousHeader.read(message)).hasValue(new RendezvousHeader(sender.from.remote(2L * PLACE), 100));
        assertThat(RendezvousAddressHeader.read(message))
                .as("all that it needs for that")
                .hasValue(RendezvousAddressHeader.of(sender.target.number(), DcAccessKey.of(KEY)));
    }

    // rule rendezvous-dc
    @Test
    void aWrongKeyFailsOnlyTheFetchesFromThatTarget() {
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender wrong = new Sender("wrong", receiving);
        Sender right = new Sender("right", receiving);
        for (int i = 1; i <= 4; i++) {
            receiving.waits(i);
        }
        wrong.leaves(1, KEY + 1, data(40, 1));
        right.leaves(2, KEY, data(50, 2));
        List<WorkCompletion> got = received();
        assertThat(got)
                .filteredOn(each -> said(each).matched())
                .extracting(WorkCompletion::workId)
                .containsExactlyInAnyOrder(1L, 2L);
        assertThat(got)
                .filteredOn(each -> !said(each).matched())
                .extracting(WorkCompletion::status)
                .containsExactlyInAnyOrder(Status.TM_RNDV_INCOMPLETE, Status.SUCCESS);
        assertThat(whyLeft(got)).contains("sent a wrong access key");
        assertThat(wrong.told).isEmpty();
        assertThat(right.told).hasSize(1);
        wrong.leaves(3, KEY, data(60, 3));
        assertThat(received())
                .extracting(WorkCompletion::status)
                .as("the same sender, when it has mended its key")
                .containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(into.memory().read(3L * PLACE, 60)).isEqualTo(data(60, 3));
    }

    // rules rendezvous-dc, rendezvous-finish
    @Test
    void aRefusedFetchDoesNotLoseTheFinishOfAnotherFetch() {
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender sender = new Sender("sender", receiving);
        receiving.waits(1);
        receiving.waits(2);
        RemoteAddress there = sender.from.remote(0);
        sender.posts(1, sender.left(1, there, 9000, KEY));
        sender.posts(2, sender.left(2, new RemoteAddress(there.rkey() + 0x100, there.address()), 40, KEY));
        assertThat(received())
                .extracting(WorkCompletion::status)
                .containsExactlyInAnyOrder(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS, Status.TM_RNDV_INCOMPLETE);
        assertThat(sender.told).as("of the one that was fetched").hasSize(1);
    }

    // rule rendezvous-dc
    @Test
    void theProgramCompletesAFetchFromADestroyedTarget() {
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender sender = new Sender("sender", receiving);
        receiving.waits(1);
        world.await(sender.target.destroy());
        sender.leaves(2, KEY, data(40, 1));
        List<WorkCompletion> got = received();
        assertThat(got).extracting(WorkCompletion::status).containsExactly(Status.SUCCESS, Status.TM_RNDV_INCOMPLETE);
        assertThat(whyLeft(got)).contains("no queue pair of that number");
    }

    // rules rendezvous-dc, qp-source-by-index
    @Test
    void theInitiatorSurvivesTheRemovalOfItsSourceAddress() {
        List<Gid> turned = gids().reversed();
        world.network().setGidTable(node, turned);
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender silent = new Sender("silent", receiving);
        Sender sender = new Sender("sender", receiving);
        for (int i = 1; i <= 3; i++) {
            receiving.waits(i);
        }
        world.await(silent.target.destroy());
        silent.leaves(1, KEY, data(40, 1));
        sender.leaves(2, KEY, data(50, 2));
        world.network().setGidTable(node, List.of(turned.getFirst()));
        assertThat(received())
                .filteredOn(each -> !said(each).matched())
                .extracting(WorkCompletion::status)
                .as("no way to either")
                .containsExactly(Status.TM_RNDV_INCOMPLETE, Status.TM_RNDV_INCOMPLETE);
        world.network().setGidTable(node, turned);
        sender.leaves(3, KEY, data(60, 3));
        assertThat(received()).extracting(WorkCompletion::status).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(into.memory().read(3L * PLACE, 60)).isEqualTo(data(60, 3));
    }

    private String whyLeft(List<WorkCompletion> got) {
        return got.stream()
                .filter(each -> each.status() == Status.TM_RNDV_INCOMPLETE)
                .map(each -> world.explain(each).toString())
                .findFirst()
                .orElseThrow();
    }

    // rules rendezvous-dc, tag-header
    @Test
    void aMessageWithoutItsSendersTargetIsNotMatched() {
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        Sender sender = new Sender("sender", receiving);
        receiving.waits(1);
        receiving.queue.postReceive(Receive.of(9, into.slice(9L * PLACE, PLACE)));
        ByteBuffer headers = ByteBuffer.allocate(TagHeader.BYTES + RendezvousHeader.BYTES);
        TagHeader.rendezvous(0, TAG).write(headers);
        new RendezvousHeader(sender.from.remote(0), 10).write(headers);
        sender.sends(2, headers.array());
        assertThat(received()).extracting(WorkCompletion::workId).containsExactly(9L);
    }

    // rule rendezvous-dc
    @Test
    void theInitiatorIsDestroyedWithItsQueue() {
        long before = actors();
        TargetSide receiving = new TargetSide(attributes -> attributes.withDcRendezvous(TERMS));
        assertThat(actors()).as("a queue, a target and an initiator more").isEqualTo(before + 3);
        world.await(receiving.target.destroy());
        world.await(receiving.queue.destroy());
        world.runFor(Duration.ofMillis(1));
        assertThat(actors()).isEqualTo(before);
    }

    private long actors() {
        world.runFor(Duration.ofMillis(1));
        return world.system().classicSystem() instanceof ExtendedActorSystem all
                ? all.printTree().lines().count()
                : 0;
    }

    // rule rendezvous-dc
    @Test
    void anInitiatorWithoutReadsOrWithoutSupportIsRefused() {
        TagMatching requested = TagMatching.of(completions);
        assertRefused(
                Errno.EINVAL,
                () -> world.await(into.domain()
                        .createSrq(SrqDescription.DEFAULT.withTagMatching(
                                requested.withDcRendezvous(TERMS.withRdAtomic(0))))),
                "outstanding READs is 0");
        assertRefused(
                Errno.EINVAL,
                () -> world.await(into.domain()
                        .createSrq(SrqDescription.DEFAULT.withTagMatching(
                                requested.withDcRendezvous(TERMS.withRnrRetry(7))))),
                "without limit");
        Profile without = Profile.CONNECTX_6.with(Profile.CONNECTX_6.tags().withDc(false));
        Side other = Side.of(
                world.network(), world.network().addAdapter("other", without, World.DEFAULT_LINK), "receiver", MEMORY);
        CompletionQueue queue = world.await(other.context().createCq(16));
        assertRefused(
                Errno.EOPNOTSUPP,
                () -> world.await(other.domain()
                        .createSrq(SrqDescription.DEFAULT.withTagMatching(
                                TagMatching.of(queue).withDcRendezvous(TERMS)))),
                "over DC");
    }

    // rule rendezvous-dc-patience
    @Test
    void anInitiatorWithoutATimeoutIsRefused() {
        TagMatching requested = TagMatching.of(completions);
        assertRefused(
                Errno.EINVAL,
                () -> world.await(into.domain()
                        .createSrq(SrqDescription.DEFAULT.withTagMatching(
                                requested.withDcRendezvous(TERMS.withTimeoutCode(0))))),
                "timeout code is 0");
        world.await(into.domain()
                .createSrq(
                        SrqDescription.DEFAULT.withTagMatching(requested.withDcRendezvous(TERMS.withRetryCount(7)))));
        Profile asksForEver = Profile.CONNECTX_6.with(Quirk.RETRY_SEVEN_IS_FOREVER);
        Side other = Side.of(
                world.network(),
                world.network().addAdapter("other", asksForEver, World.DEFAULT_LINK),
                "receiver",
                MEMORY);
        CompletionQueue queue = world.await(other.context().createCq(16));
        TagMatching there = TagMatching.of(queue);
        assertRefused(
                Errno.EINVAL,
                () -> world.await(other.domain()
                        .createSrq(SrqDescription.DEFAULT.withTagMatching(
                                there.withDcRendezvous(TERMS.withRetryCount(7))))),
                "retry count is 7");
    }

    private static void assertRefused(Errno errno, Runnable verb, String says) {
        assertThatThrownBy(verb::run)
                .asInstanceOf(InstanceOfAssertFactories.type(VerbsException.class))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno))
                .satisfies(refused -> assertThat(refused).hasMessageContaining(says));
    }
}
