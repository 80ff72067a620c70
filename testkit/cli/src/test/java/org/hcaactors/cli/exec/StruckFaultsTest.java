// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StruckFaultsTest {
    private static final List<String> PLANNED = List.of("ibv_reg_mr:2:ENOMEM", "ibv_create_ah:3:EINVAL");
    private final StruckFaults struck = new StruckFaults();

    @Test
    void aFaultStrikesIfItDoesSoInOneProcess() {
        struck.add("a", List.of("fault drop from a: 0 packets", "sent 7"));
        struck.add("b", List.of("fault drop from a: 2 packets", "refused ibv_reg_mr ENOMEM: call 2"));
        assertThat(struck.unstruck(PLANNED)).containsExactly("the refusal ibv_create_ah:3:EINVAL");
        assertThat(struck.lines())
                .containsExactly("b: fault drop from a: 2 packets", "b: refused ibv_reg_mr ENOMEM: call 2");
    }

    @Test
    void aFaultThatStruckNothingIsNamed() {
        struck.add("a", List.of("fault drop packets: 0 packets"));
        struck.add("b", List.of("fault drop packets: 0 packets"));
        assertThat(struck.unstruck(List.of())).containsExactly("the fault \"drop packets\"");
    }

    @Test
    void withoutATextOfAProcessNothingIsKnown() {
        assertThat(struck.unstruck(PLANNED)).isEmpty();
        struck.add("a", List.of("fault drop from a: 0 packets"));
        assertThat(struck.unstruck(PLANNED)).hasSize(3);
        struck.addWithoutText();
        assertThat(struck.unstruck(PLANNED)).isEmpty();
    }

    @Test
    void refusalsOfAProgramsOwnMistakesAreSaidToo() {
        struck.add("b", List.of("refused ibv_post_send EINVAL: 2 calls, the first: it is in RTR"));
        assertThat(struck.lines()).containsExactly("b: refused ibv_post_send EINVAL: 2 calls, the first: it is in RTR");
        assertThat(struck.unstruck(PLANNED)).hasSize(2);
    }
}
