// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.views.export.RecordedMishaps;
import org.junit.jupiter.api.Test;

class WordingTest {
    private static List<String> sent(Operation operation) throws IOException {
        return RecordedMishaps.events().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(event -> ((FabricEvent.Sent) event).packet())
                .filter(packet -> packet.operation() == operation)
                .map(Wording::of)
                .toList();
    }

    @Test
    void aLengthIsWrittenOnceIfThePacketHasAllOfIt() throws IOException {
        assertThat(sent(Operation.WRITE_ONLY))
                .isNotEmpty()
                .allMatch(words -> words.matches("WRITE_ONLY psn \\d+ \\d+ B"));
        assertThat(sent(Operation.READ_REQUEST))
                .isNotEmpty()
                .allMatch(words -> words.matches("READ_REQUEST psn \\d+ len \\d+"));
    }
}
