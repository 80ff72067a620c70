// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data of communication management, as Linux's host sends them. */
class QueueRequestTest {
    private static QueueRequest request(String hex) {
        return QueueRequest.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex + "00".repeat(48))));
    }

    @Test
    void theAdminQueueOfLinuxIsAllowed() {
        QueueRequest linux = request("0000000020001f00");
        assertThat(linux).isEqualTo(new QueueRequest(0, 0, 32, 31));
        assertThat(linux.refusal()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0100000020001f00, INVALID_FORMAT, 00000200",
        "0000010020001f00, INVALID_QUEUE, 00000300",
        "0000000020000000, INVALID_SENDS, 00000400",
        "0000000020002000, INVALID_SENDS, 00000400",
        "0000000000001f00, INVALID_RECEIVES, 00000500"
    })
    void anythingElseIsRefusedWithItsCode(String data, QueueRequest.Refusal why, String bytes) {
        assertThat(request(data).refusal()).contains(why);
        assertThat(HexFormat.of().formatHex(why.encode().array())).isEqualTo(bytes);
        assertThat(why.words()).isNotEmpty();
    }

    @Test
    void theReplyHasTheReceivesOfTheController() {
        assertThat(HexFormat.of().formatHex(QueueRequest.reply().array())).isEqualTo("00002000" + "00".repeat(28));
    }
}
