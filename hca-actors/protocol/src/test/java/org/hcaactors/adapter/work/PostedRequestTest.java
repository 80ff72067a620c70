// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;

/** A request on the send queue: its values in addition to the work request. */
class PostedRequestTest {
    private static PostedRequest posted(PostedRequest.Extras extras) {
        Send send = Send.of(3);
        return new PostedRequest(send, PostedRequest.kindOf(send), 0, extras);
    }

    // rule completion-unsignaled
    @Test
    void anAwaitedRequestIsSignaled() {
        Reply<WorkCompletion> stage = new Reply<>(Runnable::run);
        PostedRequest awaited = posted(PostedRequest.Extras.of(null, stage, null, 0));
        assertThat(awaited.stage()).isSameAs(stage);
        assertThat(awaited.isSignaled(false)).isTrue();
        assertThat(posted(PostedRequest.Extras.NONE).isSignaled(false)).isFalse();
        assertThat(posted(PostedRequest.Extras.NONE).isSignaled(true)).isTrue();
    }

    @Test
    void aPostedRequestHasTheIdOfItsPostingEvent() {
        assertThat(posted(PostedRequest.Extras.of(null, null, null, 7)).traceId())
                .isEqualTo(7);
    }

    @Test
    void onlyADatagramHasAnAddress() {
        assertThatThrownBy(posted(PostedRequest.Extras.NONE)::to).hasMessage("request 3 is not a datagram");
    }
}
