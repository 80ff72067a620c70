// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.completion.WorkCompletion.Details;
import org.junit.jupiter.api.Test;

/** The view of one entry that a handler of completions receives. */
class GrantCursorTest {
    private final GrantCursor cursor = new GrantCursor();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> {});

    private void moveTo(WorkCompletion entry) {
        cursor.moveTo(new Cqe(entry, workQueue, 1, false), 3);
    }

    // rule completion-flags
    @Test
    void itShowsTheFieldsOfItsEntry() {
        WorkCompletion entry = WorkCompletion.of(8, Status.SUCCESS, CompletionKind.RECV, 3, 64, OptionalInt.of(0xABCD));
        moveTo(entry);
        assertThat(cursor.workId()).isEqualTo(8);
        assertThat(cursor.isSuccess()).isTrue();
        assertThat(cursor.kind()).isEqualTo(CompletionKind.RECV);
        assertThat(cursor.qpNumber()).isEqualTo(3);
        assertThat(cursor.lengthBytes()).isEqualTo(64);
        assertThat(cursor.flags()).isEqualTo(2);
        assertThat(cursor.vendorError()).isZero();
        assertThat(cursor.remaining()).isEqualTo(3);
        assertThat(cursor.completion()).isSameAs(entry);
    }

    @Test
    void aFailedEntryHasItsVendorError() {
        moveTo(new WorkCompletion(9, Status.REM_OP_ERR, CompletionKind.SEND, 3, 0, Details.NONE.withVendorError(0x52)));
        assertThat(cursor.isSuccess()).isFalse();
        assertThat(cursor.vendorError()).isEqualTo(0x52);
        assertThat(cursor.flags()).isZero();
    }

    @Test
    void afterItsEntryItShowsNothing() {
        moveTo(WorkCompletion.of(1, Status.SUCCESS, CompletionKind.SEND, 3, 0, OptionalInt.empty()));
        cursor.leave();
        assertThatThrownBy(cursor::flags).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(cursor::vendorError).isInstanceOf(IllegalStateException.class);
    }
}
