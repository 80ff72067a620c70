// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.TagSetup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages matched with receives by tag (the page tags of the rule book). */
class TagMatchingTest {
    private static final int TAG = 0x1234;
    private static final TagInfo QUIET = TagInfo.NONE;

    private final World world = World.of(18);
    private final TagSetup ground = new TagSetup(world);
    private final TagSetup.Sender sender = ground.sender();

    @AfterEach
    void close() {
        world.close();
    }

    // rule tag-completion
    @Test
    void aMessageOfManyPacketsHasTwoCompletions() {
        ground.queue.add(TagAdd.of(1, ground.place(1), TAG));
        byte[] data = new byte[5000];
        data[4999] = 9;
        sender.submit(sender.eager(2, TagHeader.eager(0, TAG), data));
        List<WorkCompletion> got = ground.received();
        assertThat(got)
                .extracting(each -> TagSetup.tagInfo(each))
                .containsExactly(TagInfo.match(new TagInfo.Info(TAG, 0)), TagInfo.DATA);
        assertThat(got.get(1).lengthBytes()).isEqualTo(5000);
        assertThat(ground.bytes(1, 5000)).isEqualTo(data);
    }

    // rule tag-match
    @Test
    void aMessageGoesToTheFirstMatchingReceiveOfAnyMask() {
        ground.queue.add(TagAdd.of(1, ground.place(1), 0x10).withMask(0xF0));
        ground.queue.add(TagAdd.of(2, ground.place(2), 0x12));
        ground.queue.add(TagAdd.of(3, ground.place(3), 0x13).withMask(0xF0));
        ground.queue.postReceive(ground.place(0));
        ground.queue.postReceive(ground.place(4));
        sender.submit(sender.eager(1, TagHeader.eager(0, 0x12), (byte) 1));
        sender.submit(sender.eager(2, TagHeader.eager(0, 0x12), (byte) 2));
        sender.submit(sender.eager(3, TagHeader.eager(0, 0x13), (byte) 3));
        assertThat(ground.received())
                .as("a tag with bits outside of its mask waits for ever")
                .extracting(WorkCompletion::workId)
                .containsExactly(1L, 2L, 0L);
    }

    // rule tag-phase
    @Test
    void aReceiveAddedBehindAnUncountedMessageMatchesNothing() {
        ground.queue.postReceive(ground.place(0));
        ground.queue.postReceive(ground.place(1));
        ground.queue.postReceive(ground.place(2));
        sender.submit(sender.eager(1, TagHeader.eager(0, TAG), (byte) 1));
        ground.received();
        ground.queue.add(TagAdd.of(5, ground.place(5), TAG).withSignaled());
        assertThat(TagSetup.tagInfo(ground.onlyReceived()).syncRequested()).isTrue();
        sender.submit(sender.eager(2, TagHeader.eager(0, TAG), (byte) 2));
        assertThat(ground.onlyReceived().workId()).as("unexpected, too").isEqualTo(1);
        ground.queue.sync(TagSync.of(6, 2));
        sender.submit(sender.eager(3, TagHeader.eager(0, TAG), (byte) 3));
        assertThat(ground.onlyReceived().workId()).isEqualTo(5);
    }

    // rule tag-delete-race
    @Test
    void deletingAMatchedReceiveFails() {
        TagHandle first = ground.queue.add(TagAdd.of(1, ground.place(1), TAG));
        TagHandle second = ground.queue.add(TagAdd.of(2, ground.place(2), TAG));
        sender.submit(sender.eager(1, TagHeader.eager(0, TAG), (byte) 1));
        ground.received();
        ground.queue.delete(TagDelete.of(8, first).withSignaled());
        ground.queue.delete(TagDelete.of(9, second).withSignaled());
        List<WorkCompletion> got = ground.received();
        assertThat(got).extracting(WorkCompletion::status).containsExactly(Status.TM_ERR, Status.SUCCESS);
        assertThat(got).extracting(WorkCompletion::workId).containsExactly(8L, 9L);
    }

    // rules tag-list-full, tag-operations-full
    @Test
    void theListAndItsOperationsAreLimited() {
        World other = World.of(19);
        TagSetup small =
                new TagSetup(other, attributes -> attributes.withMaxTags(2).withMaxOperations(3));
        small.queue.add(TagAdd.of(1, small.place(1), 1));
        small.queue.add(TagAdd.of(2, small.place(2), 2));
        assertRefused(Errno.ENOMEM, () -> small.queue.add(TagAdd.of(3, small.place(3), 3)), "2 receives is full");
        small.queue.sync(TagSync.of(3, 0).withSignaled());
        assertRefused(Errno.ENOMEM, () -> small.queue.sync(TagSync.of(4, 0)), "3 operations");
        assertThat(small.received()).hasSize(1);
        small.queue.sync(TagSync.of(5, 0));
        other.close();
    }

    private static void assertRefused(Errno errno, Runnable verb, String says) {
        assertThatThrownBy(verb::run)
                .asInstanceOf(InstanceOfAssertFactories.type(VerbsException.class))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno))
                .satisfies(refused -> assertThat(refused).hasMessageContaining(says));
    }

    // rule tag-header
    @Test
    void aMessageWithoutAValidTagHeaderIsNotMatched() {
        ground.queue.add(TagAdd.of(1, ground.place(1), 0).withMask(0));
        for (int i = 0; i < 3; i++) {
            ground.queue.postReceive(ground.place(4 + i));
        }
        sender.from.memory().write(0, new byte[] {3});
        sender.submit(Send.of(1, sender.from.slice(0, 15)));
        sender.from.memory().write(0, new byte[] {9});
        sender.submit(Send.of(2, sender.from.slice(0, 16)));
        sender.submit(sender.eager(3, TagHeader.rendezvous(0, TAG)));
        assertThat(ground.received())
                .allSatisfy(each -> assertThat(each.kind()).isEqualTo(CompletionKind.TM_NO_TAG))
                .extracting(WorkCompletion::lengthBytes)
                .containsExactly(15L, 16L, 16L);
    }

    // rule tag-header
    @Test
    void reservedBytesAreIgnored() {
        ground.queue.add(TagAdd.of(1, ground.place(1), TAG));
        Send odd = sender.eager(1, TagHeader.eager(0, TAG), (byte) 5);
        sender.from.memory().write(TagSetup.PLACE + 1L, new byte[] {7, 7, 7});
        sender.submit(odd);
        assertThat(ground.onlyReceived().workId()).isEqualTo(1);
    }

    // rules tag-capabilities, tag-srq
    @Test
    void aTagMatchingQueueIsLimitedByTheAdapter() {
        Side without = Side.of(world.network(), world.network().addAdapter("old", Profile.CONNECTX_4), "app", 64);
        CompletionQueue old = world.await(without.context().createCq(8));
        assertRefused(
                Errno.EOPNOTSUPP,
                () -> world.await(
                        without.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(old)))),
                "ConnectX-4 has no tag matching");
        TagMatching fits = TagMatching.of(ground.completions);
        SrqDescription<SharedReceiveQueue> sizes = SrqDescription.DEFAULT;
        for (SrqDescription<TagSharedReceiveQueue> wrong : List.of(
                sizes.withTagMatching(fits.withMaxTags(0)),
                sizes.withTagMatching(fits.withMaxTags(1024)),
                sizes.withTagMatching(fits.withMaxOperations(0)),
                sizes.withTagMatching(fits.withMaxOperations(32_769)),
                SrqDescription.of(-1).withTagMatching(fits))) {
            assertThatThrownBy(() -> world.await(ground.into.domain().createSrq(wrong)))
                    .hasMessageStartingWith("EINVAL");
        }
        assertRefused(Errno.EBUSY, () -> world.await(ground.completions.destroy()), "");
        assertRefused(
                Errno.EINVAL,
                () -> ground.queue.add(
                        TagAdd.of(1, Receive.of(1, ground.into.slice(0, 1), ground.into.slice(1, 1)), 1)),
                "2 elements");
        assertRefused(Errno.EINVAL, () -> ground.queue.sync(TagSync.of(1, 0x1_0000)), "0 to 65535 is allowed");
        assertRefused(
                Errno.EINVAL,
                () -> ground.queue.delete(TagDelete.of(1, new TagHandle(99, 1))),
                "belongs to shared receive queue 99");
    }

    // rule tag-transports
    @Test
    void onlyReliableConnectionsCarryTaggedMessages() {
        assertRefused(
                Errno.EINVAL,
                () -> world.await(
                        ground.into.domain().createQp(QpDescription.ud().withSrq(ground.queue))),
                "UD can't use a tag-matching queue");
        assertRefused(
                Errno.EINVAL,
                () -> world.await(
                        ground.into.domain().createQp(QpDescription.uc().withSrq(ground.queue))),
                "UC can't use a tag-matching queue");
    }

    // rule tag-returned
    @Test
    void aMatchedReceiveOfABrokenMessageIsFlushedIfReported() {
        ground.queue.add(TagAdd.of(1, ground.place(1), TAG));
        sender.ends.a().qp().post(sender.eager(2, TagHeader.eager(0, TAG), new byte[15_000]));
        world.runFor(Duration.ofNanos(1500));
        world.await(sender.ends.b().qp().modify(QpModify.to(QpState.ERR)));
        List<WorkCompletion> got = ground.received();
        assertThat(got).extracting(WorkCompletion::workId).containsExactly(1L, 1L);
        assertThat(got).extracting(WorkCompletion::status).containsExactly(Status.SUCCESS, Status.WR_FLUSH_ERR);
    }

    // rule rendezvous-incomplete
    @Test
    void aRendezvousTooLongForItsReceiveIsLeftToTheProgram() {
        ground.queue.add(TagAdd.of(1, ground.place(1, 32), TAG));
        sender.submit(sender.rendezvous(2, TagHeader.rendezvous(6, TAG), new byte[33]));
        WorkCompletion got = ground.onlyReceived();
        assertThat(got.status()).isEqualTo(Status.TM_RNDV_INCOMPLETE);
        assertThat(got.workId()).isEqualTo(1);
        assertThat(TagSetup.tagInfo(got).info()).isEqualTo(Optional.of(new TagInfo.Info(TAG, 6)));
        assertThat(got.lengthBytes()).as("where its data are").isEqualTo(16);
    }
}
