// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

class TagListenerTest {
    private static final WorkCompletion COMPLETION =
            WorkCompletion.of(1, Status.SUCCESS, CompletionKind.RECV, 7, 0, OptionalInt.empty());

    private final List<VerbsException> ended = new ArrayList<>();

    private TagListener listener(RuntimeException thrown) {
        TagListener listener = new TagListener(
                completion -> {
                    throw thrown;
                },
                ended::add);
        listener.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        return listener;
    }

    @Test
    void unmappedMemoryEndsTheEndpointWithoutAnException() {
        VerbsException unmapped = VerbsException.invalid("host memory at 0x1000, 64 bytes, is unmapped");
        assertThatCode(() -> listener(unmapped).onNext(COMPLETION)).doesNotThrowAnyException();
        assertThat(ended).singleElement().satisfies(reason -> {
            assertThat(reason.errno()).isEqualTo(Errno.EIO);
            assertThat(reason).hasCause(unmapped);
        });
    }

    @Test
    void anyOtherExceptionIsReportedAndRethrown() {
        IllegalStateException bug = new IllegalStateException("a bug");
        assertThatThrownBy(() -> listener(bug).onNext(COMPLETION)).isSameAs(bug);
        assertThat(ended)
                .isNotEmpty()
                .first()
                .satisfies(reason -> assertThat(reason).hasCause(bug));
    }

    @Test
    void anEndpointIsNotifiedOfItsDestroyedQueue() {
        listener(new IllegalStateException("never called")).onComplete();
        assertThat(ended).singleElement().satisfies(reason -> {
            assertThat(reason.errno()).isEqualTo(Errno.EIO);
            assertThat(reason).hasMessageContaining("the endpoint's completion queue was destroyed");
        });
    }

    @Test
    void anEndpointIsNotifiedOfItsFailedQueueWithTheReason() {
        VerbsException overrun = new VerbsException(Errno.EIO, "it overran");
        listener(new IllegalStateException("never called")).onError(overrun);
        assertThat(ended).singleElement().satisfies(reason -> assertThat(reason).hasCause(overrun));
    }
}
