// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Test;

class IgnoredPacketsTest {
    private static final Reason WRONG_KEY = new PacketMismatch.Qkey(5, 0x11112222);

    private final LossyRun run = new LossyRun();

    private List<Explanation> ignored() {
        return Explainer.of(run.events()).ignored();
    }

    @Test
    void datagramsWithAWrongQKeyAreOneExplanationWithTheirCount() {
        for (int psn = 0; psn < 6; psn++) {
            run.ignores(Opcode.UD_SEND_ONLY, psn, WRONG_KEY);
        }

        assertThat(ignored()).singleElement().satisfies(one -> {
            assertThat(one.what()).startsWith("b/qp18 ignored 6 packets, the first at 3.000 us: SEND_ONLY psn 0");
            assertThat(one.because()).containsExactly("Q_Key 0x00000005; this queue pair's is 0x11112222");
            assertThat(one.ladder()).hasSize(7);
        });
    }

    @Test
    void eachReasonHasItsOwnExplanation() {
        run.ignores(Opcode.UD_SEND_ONLY, 0, WRONG_KEY);
        run.ignores(Opcode.UD_SEND_ONLY, 1, Ignored.Plainly.LONGER_THAN_RECEIVE);

        assertThat(ignored()).hasSize(2);
    }

    @Test
    void theRestOfAnIgnoredMessageIsNotExplained() {
        run.ignores(Opcode.UC_SEND_MIDDLE, 1, Ignored.Plainly.PACKET_MISSING);
        run.ignores(Opcode.UC_SEND_LAST, 2, Ignored.Plainly.PART_OF_A_MESSAGE_GIVEN_UP);

        assertThat(ignored())
                .singleElement()
                .satisfies(one -> assertThat(one.what()).startsWith("b/qp18 ignored 1 packet at "));
    }

    @Test
    void whatAReliableConnectionIgnoresIsSentAgainAndNotExplained() {
        run.ignores(Opcode.RC_SEND_ONLY, 0, Ignored.Plainly.NAK_PENDING);

        assertThat(ignored()).isEmpty();
    }

    @Test
    void theReportListsIgnoredDatagramsInRed() throws Exception {
        run.ignores(Opcode.UD_SEND_ONLY, 0, WRONG_KEY);
        String html = Report.html(Rlog.Header.of("a"), run.events(), 0);
        String data = html.substring(
                html.indexOf('{', html.indexOf("data-run=\"\">")),
                html.indexOf("</script>", html.indexOf("data-run=\"\">")));
        JsonNode scene = new ObjectMapper().readTree(data);

        assertThat(scene.at("/told/0/how").asText()).isEqualTo("ignored");
        assertThat(scene.at("/events/marks/0").asText()).isEqualTo("bad");
        assertThat(scene.at("/events/mark/2").asInt() & 1).as("bad").isEqualTo(1);
    }
}
