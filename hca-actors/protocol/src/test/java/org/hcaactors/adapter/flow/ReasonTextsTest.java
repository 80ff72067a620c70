// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonTextsTest {
    @Test
    void aCountOfOneIsWrittenInTheSingular() {
        assertThat(ReasonTexts.of(new NoSession.NoResponder(1))).startsWith("none of 1 responder is free");
        assertThat(ReasonTexts.of(new NoSession.NoResponder(2))).startsWith("none of 2 responders is free");
        assertThat(ReasonTexts.of(new NoSession.FewResponders(1, 1)))
                .startsWith("1 responder is free, and 1 is reserved");
        assertThat(ReasonTexts.of(new NoSession.FewResponders(3, 4)))
                .startsWith("3 responders are free, and 4 are reserved");
        assertThat(ReasonTexts.of(new NoSession.TooManyPeers(1))).startsWith("the target already knows 1 peer:");
    }
}
