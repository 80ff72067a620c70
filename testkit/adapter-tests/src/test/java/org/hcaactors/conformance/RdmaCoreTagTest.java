// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TagSetup;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** rdma-core's tests of tag matching, each with its name there. */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class RdmaCoreTagTest {
    private static final int TAG = 0x1234;
    private static final TagInfo QUIET = TagInfo.NONE;

    private final TwoEnds ends;
    private final TagSetup ground;
    private final TagSetup.Sender sender;

    RdmaCoreTagTest(Layout layout) {
        ends = layout.open(18, Profile.CONNECTX_5);
        ground = new TagSetup(ends);
        sender = ground.sender(ends.terms());
    }

    @AfterEach
    void close() {
        ends.close();
    }

    // rules tag-match, tag-completion, tag-operations-ordered
    @Test
    @Tag("rdma-core:test_tag_matching.test_tm_traffic")
    void messagesMatchTheirReceivesInAnyOrder() {
        for (int tag = 1; tag < 10; tag++) {
            ground.queue.add(TagAdd.of(100 + tag, ground.place(tag), tag).withSignaled());
        }
        assertThat(ground.received(9)).hasSize(9).allSatisfy(each -> {
            assertThat(each.kind()).isEqualTo(CompletionKind.TM_ADD);
            assertThat(each.isSuccess()).isTrue();
            assertThat(TagSetup.tagInfo(each)).isEqualTo(QUIET);
        });
        for (int tag = 9; tag > 0; tag--) {
            sender.submit(sender.eager(tag, TagHeader.eager(7, tag), (byte) tag, (byte) 5));
            WorkCompletion got = ground.onlyReceived();
            assertThat(got.kind()).isEqualTo(CompletionKind.TM_RECV);
            assertThat(got.workId()).isEqualTo(tag);
            assertThat(got.lengthBytes()).as("the header is taken off").isEqualTo(2);
            assertThat(TagSetup.tagInfo(got)).isEqualTo(TagInfo.whole(new TagInfo.Info(tag, 7)));
            assertThat(ground.bytes(tag, 2)).containsExactly((byte) tag, (byte) 5);
        }
    }

    // rules tag-unexpected, tag-phase
    @Test
    @Tag("rdma-core:test_tag_matching.test_tm_unexpected_tag")
    void aMessageWithoutAMatchIsUnexpectedAndReceivedWhole() {
        ground.queue.postReceive(ground.place(0));
        byte[] data = {1, 2, 3};
        sender.submit(sender.eager(1, TagHeader.eager(9, TAG), data));
        WorkCompletion got = ground.onlyReceived();
        assertThat(got.kind()).isEqualTo(CompletionKind.TM_RECV);
        assertThat(got.workId()).isZero();
        assertThat(got.lengthBytes()).isEqualTo(TagHeader.BYTES + 3);
        assertThat(TagSetup.tagInfo(got)).isEqualTo(QUIET);
        ByteBuffer message = ByteBuffer.wrap(ground.bytes(0, TagHeader.BYTES + 3));
        assertThat(TagHeader.read(message)).hasValue(TagHeader.eager(9, TAG));
        assertThat(ground.await(ground.queue.queryTags()).unexpected()).isEqualTo(1);
        ground.queue.sync(TagSync.of(8, 1).withSignaled());
        WorkCompletion synced = ground.onlyReceived();
        assertThat(synced.kind()).isEqualTo(CompletionKind.TM_SYNC);
        assertThat(synced.workId()).isEqualTo(8);
        assertThat(ground.await(ground.queue.queryTags()).handled()).isEqualTo(1);
    }

    // rule tag-untagged
    @Test
    @Tag("rdma-core:test_tag_matching.test_tm_no_tag")
    void anUntaggedMessageTakesTheNextReceive() {
        ground.queue.add(TagAdd.of(1, ground.place(1), 0).withMask(0));
        ground.queue.postReceive(ground.place(0));
        sender.submit(sender.eager(2, TagHeader.untagged(3), (byte) 4));
        WorkCompletion got = ground.onlyReceived();
        assertThat(got.kind()).isEqualTo(CompletionKind.TM_NO_TAG);
        assertThat(got.workId()).isZero();
        assertThat(got.lengthBytes()).isEqualTo(TagHeader.BYTES + 1);
        assertThat(ground.await(ground.queue.queryTags()).unexpected()).isZero();
    }

    // rules rendezvous-read, rendezvous-finish, tag-completion
    @Test
    @Tag("rdma-core:test_tag_matching.test_tm_rndv")
    void theDataOfARendezvousAreFetchedAndItsSenderNotified() {
        ground.queue.add(TagAdd.of(1, ground.place(3), TAG));
        sender.ends.a().postReceive(Receive.of(77, sender.from.slice(0, 64)));
        byte[] data = new byte[9000];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 7);
        }
        WorkCompletion sent = sender.submit(sender.rendezvous(2, TagHeader.rendezvous(0xABCD, TAG), data));
        assertThat(sent.status()).isEqualTo(Status.SUCCESS);
        List<WorkCompletion> got = ground.received(2);
        assertThat(got).extracting(WorkCompletion::workId).containsExactly(3L, 3L);
        assertThat(got).extracting(WorkCompletion::kind).containsOnly(CompletionKind.TM_RECV);
        assertThat(TagSetup.tagInfo(got.get(0))).isEqualTo(TagInfo.match(new TagInfo.Info(TAG, 0xABCD)));
        assertThat(TagSetup.tagInfo(got.get(1))).isEqualTo(TagInfo.DATA);
        assertThat(got.get(1).lengthBytes()).isEqualTo(9000);
        assertThat(ground.bytes(3, 9000)).isEqualTo(data);
        WorkCompletion told = ends.polled(sender.ends.a().qp().recvCq(), 1).getFirst();
        assertThat(told.workId()).isEqualTo(77);
        ByteBuffer answer = ByteBuffer.wrap(sender.from.memory().read(0, TagHeader.BYTES));
        assertThat(TagHeader.read(answer))
                .hasValue(TagHeader.rendezvous(0xABCD, TAG).finished());
    }
}
