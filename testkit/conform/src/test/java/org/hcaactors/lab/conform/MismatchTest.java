// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mismatch names the field that was changed in a capture. */
class MismatchTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    /** The first acknowledgement of op_send_sizes, of the request in the frame before. */
    private static final int ACK = 2;

    @TempDir
    Path folder;

    private ChangedCapture change(String name) throws IOException {
        return new ChangedCapture(CAPTURES.resolve(name + ".pcap"));
    }

    private void names(ChangedCapture changed, int frame, FieldDifference field) throws IOException {
        List<Mismatch> mismatches = Conformance.of(changed.in(folder)).verdict().mismatches();
        assertThat(mismatches).anySatisfy(mismatch -> {
            assertThat(mismatch.frame()).isEqualTo(frame);
            assertThat(mismatch.fields()).containsExactly(field);
            assertThat(mismatch.toString())
                    .endsWith("; " + field.field() + " " + field.captured() + " instead of " + field.ours());
        });
    }

    @Test
    void theSequenceNumberOfAnAnswerIsNamed() throws IOException {
        names(
                change("op_send_sizes")
                        .flip(ACK, ChangedCapture.PSN_LAST_BYTE, 0)
                        .withRightIcrc(ACK),
                ACK,
                new FieldDifference("PSN", "12648449", "12648448"));
    }

    @Test
    void theMessageSequenceNumberIsNamed() throws IOException {
        names(
                change("op_send_sizes")
                        .flip(ACK, ChangedCapture.MSN_LAST_BYTE, 1)
                        .withRightIcrc(ACK),
                ACK,
                new FieldDifference("MSN", "3", "1"));
    }

    @Test
    void theSyndromeIsNamed() throws IOException {
        names(
                change("op_send_sizes").flip(ACK, ChangedCapture.SYNDROME, 4).withRightIcrc(ACK),
                ACK,
                new FieldDifference("syndrome", "0x0f (ACK)", "0x1f (ACK)"));
    }

    @Test
    void theRequestForAnAcknowledgementIsNamed() throws IOException {
        names(
                change("op_send_sizes").flip(1, ChangedCapture.BTH + 8, 7).withRightIcrc(1),
                1,
                new FieldDifference("AckReq", "false", "true"));
    }

    @Test
    void thePayloadByteIsNamed() throws IOException {
        names(
                change("loss_write_drop13")
                        .flip(52, ChangedCapture.BTH + 12 + 28, 2)
                        .withRightIcrc(52),
                52,
                new FieldDifference("payload byte 28", "0x18", "0x1c"));
    }

    @Test
    void theOriginalValueOfAnAtomicIsNamed() throws IOException {
        names(
                change("op_atomics").flip(4, ChangedCapture.BTH + 23, 0).withRightIcrc(4),
                4,
                new FieldDifference("original value", "0x1122334455667889", "0x1122334455667888"));
    }

    @Test
    void theCompletionStatusIsNamed() throws IOException {
        names(
                change("op_bad_rkey").flip(2, ChangedCapture.SYNDROME, 0).withRightIcrc(2),
                0,
                new FieldDifference("completion status", "10", "11"));
    }

    @Test
    void aWrongIcrcIsNamed() throws IOException {
        names(
                change("op_bad_rkey").flip(2, ChangedCapture.MSN_LAST_BYTE, 0),
                2,
                new FieldDifference("ICRC", "wrong", "right"));
    }
}
