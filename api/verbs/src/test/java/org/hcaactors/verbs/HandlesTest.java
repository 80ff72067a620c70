// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

class HandlesTest {
    private final Handles handles = new Handles();

    private void expectUnknown(long handle) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> handles.get(handle, String.class))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void aHandleNamesItsObject() {
        long first = handles.add("a");
        long second = handles.add("b");

        assertThat(handles.get(first, String.class)).isEqualTo("a");
        assertThat(handles.get(second, String.class)).isEqualTo("b");
    }

    @Test
    void noHandleIsZero() {
        for (int count = 0; count < 1000; count++) {
            assertThat(handles.add("a")).isNotZero();
        }

        expectUnknown(0);
    }

    @Test
    void aStaleHandleNamesNoLaterObject() {
        long stale = handles.add("a");
        handles.remove(stale);
        long later = handles.add("b");

        assertThat((int) later).as("the number is used again").isEqualTo((int) stale);
        expectUnknown(stale);
        assertThat(handles.get(later, String.class)).isEqualTo("b");
    }

    @Test
    void removingAStaleHandleSparesTheLaterObject() {
        long stale = handles.add("a");
        handles.remove(stale);
        long later = handles.add("b");
        handles.remove(stale);

        assertThat(handles.get(later, String.class)).isEqualTo("b");
    }

    @Test
    void anObjectOfAnotherKindIsInvalid() {
        expectUnknown(handles.add(7));
    }

    @Test
    void numbersThatWereNeverGivenAreInvalid() {
        handles.add("a");

        expectUnknown(-1);
        expectUnknown(1);
        expectUnknown(1L << Integer.SIZE | 2);
        expectUnknown(Long.MAX_VALUE);
        expectUnknown(Long.MIN_VALUE);
    }

    @Test
    void allObjectsOfAConditionGo() {
        long first = handles.add("of one");
        long second = handles.add("of two");
        handles.removeIf("of one"::equals);

        expectUnknown(first);
        assertThat(handles.get(second, String.class)).isEqualTo("of two");
    }

    @Test
    void tenThousandHandlesDiffer() {
        Set<Long> all = new LinkedHashSet<>();
        for (int count = 0; count < 5000; count++) {
            long kept = handles.add("kept");
            long gone = handles.add("gone");
            handles.remove(gone);
            all.add(kept);
            all.add(gone);
        }

        assertThat(all).hasSize(10_000);
    }
}
