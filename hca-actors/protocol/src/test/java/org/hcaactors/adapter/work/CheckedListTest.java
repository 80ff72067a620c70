// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

// rule post-list
class CheckedListTest {
    private int checked;

    private static VerbsException full() {
        return new VerbsException(Errno.ENOMEM, "full");
    }

    /** Refuses 13, and crashes at 99. */
    private CheckedList<Integer> of(int max, Integer... elements) {
        return CheckedList.of(Arrays.asList(elements), max, CheckedListTest::full, each -> {
            checked++;
            if (each == 13) {
                throw VerbsException.invalid("unlucky");
            }
            if (each == 99) {
                throw new IllegalStateException("a bug");
            }
            return each + 100;
        });
    }

    private static void isRefused(int index, Errno errno, CheckedList<Integer> list, int posted) {
        assertThatThrownBy(() -> list.end(posted, CheckedListTest::full))
                .isInstanceOfSatisfying(PostRefusedException.class, refused -> {
                    assertThat(refused.index()).isEqualTo(index);
                    assertThat(refused.errno()).isEqualTo(errno);
                    assertThat(refused.getCause()).isInstanceOf(VerbsException.class);
                });
    }

    @Test
    void aListWithoutRefusalEndsQuietly() {
        CheckedList<Integer> list = of(8, 1, 2, 3);
        assertThat(list.elements()).containsExactly(101, 102, 103);
        assertThatCode(() -> list.end(3, CheckedListTest::full)).doesNotThrowAnyException();
    }

    @Test
    void aWholeListHasAllElementsOrIsRefused() {
        assertThat(of(8, 1, 2).whole()).containsExactly(101, 102);
        assertThatThrownBy(() -> of(8, 1, 13, 2).whole())
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: unlucky");
        assertThatThrownBy(() -> of(1, 1, 2).whole()).hasMessage("ENOMEM: full");
    }

    @Test
    void theFirstRefusedElementEndsTheChecks() {
        CheckedList<Integer> list = of(8, 1, 13, 2, 13);
        assertThat(list.elements()).containsExactly(101);
        assertThat(checked).isEqualTo(2);
        isRefused(1, Errno.EINVAL, list, 1);
    }

    @Test
    void anElementWithoutASlotIsRefusedBeforeOneThatIsInvalid() {
        isRefused(0, Errno.ENOMEM, of(8, 1, 13), 0);
    }

    @Test
    void noMoreThanTheQueueHoldsAreChecked() {
        CheckedList<Integer> list = of(2, 1, 2, 3, 13);
        assertThat(checked).isEqualTo(2);
        isRefused(2, Errno.ENOMEM, list, 2);
    }

    @Test
    void theFirstElementIsCheckedForAQueueWithoutSlots() {
        isRefused(0, Errno.EINVAL, of(0, 13), 0);
        isRefused(0, Errno.ENOMEM, of(0, 1), 0);
    }

    @Test
    void theMessageSaysWhichElementAndWhy() {
        assertThatThrownBy(() -> of(8, 1, 2, 13).end(2, CheckedListTest::full))
                .hasMessage("EINVAL: element 2 of the list is refused: unlucky");
    }

    @Test
    void anotherExceptionIsThrownAsItIs() {
        assertThatThrownBy(() -> of(8, 1, 99, 13)).isInstanceOf(IllegalStateException.class);
    }
}
