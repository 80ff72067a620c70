package org.hcaactors.adapter.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

class KeySpaceTest {
    @Test
    void aRegistrationWithoutAKeyLeftIsRefusedWithEnomemUntilOneIsReleased() {
        KeySpace keys = new KeySpace(4);
        List<Integer> given = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (given.size() < 10) {
                        given.add(keys.allocate());
                    }
                })
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        assertThat(given).isNotEmpty().doesNotHaveDuplicates();
        keys.release(given.getFirst());
        assertThat(keys.allocate()).isNotIn(given);
    }
}
