// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GIDs in the texts of the classic tools. */
class TextTranslationTest {
    private static final Translation ADDRESSES = new Translation(address(3), address(6), address(5), address(4));
    private static final String PINGPONG = "0000:00001a:0a1b2c:00000000000000000000ffff7f00000%s\0";
    private static final String PERFTEST =
            "0000:0010:00001a:0a1b2c:00001234:00007f0012345000:00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:0%s:00000000:\0";

    private static PortAddress address(int last) {
        return PortAddress.ofIpv4(0x7F00_0000 | last);
    }

    private static String translated(String text, int pieceBytes) {
        TextTranslation translation = new TextTranslation(ADDRESSES);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(US_ASCII);
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + pieceBytes));
            out.writeBytes(translation.take(piece, piece.length));
        }
        out.writeBytes(translation.rest());
        assertThat(translation.holds()).isFalse();
        return out.toString(US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 31, 32, 33, 47, 52, 1000})
    void theSendersGidBecomesThatOfTheGatewayInAnyPieces(int pieceBytes) {
        assertThat(translated(PINGPONG.formatted(3), pieceBytes)).isEqualTo(PINGPONG.formatted(6));
        assertThat(translated(PERFTEST.formatted(3), pieceBytes)).isEqualTo(PERFTEST.formatted(6));
        assertThat(translated(PINGPONG.formatted(3).repeat(256), pieceBytes))
                .isEqualTo(PINGPONG.formatted(6).repeat(256));
    }

    @Test
    void theGatewaysGidBecomesThatOfTheReceiver() {
        assertThat(translated(PERFTEST.formatted(5), 1000)).isEqualTo(PERFTEST.formatted(4));
    }

    @Test
    void otherGidsAndTextsStay() {
        assertThat(translated(PINGPONG.formatted(9), 10)).isEqualTo(PINGPONG.formatted(9));
        assertThat(translated("6.06\0\0\0done\0" + "0".repeat(100), 3)).isEqualTo("6.06\0\0\0done\0" + "0".repeat(100));
    }

    @Test
    void zerosBeforeAGidAreNoPartOfIt() {
        assertThat(translated("000" + PINGPONG.formatted(3), 1)).isEqualTo("000" + PINGPONG.formatted(6));
    }

    @Test
    void onlyWhatMayBeginAGidIsHeldBack() {
        TextTranslation translation = new TextTranslation(ADDRESSES);
        byte[] version = "6.06\0\0\0\0".getBytes(US_ASCII);
        assertThat(translation.take(version, version.length)).isEqualTo(version);
        assertThat(translation.holds()).isFalse();
        byte[] zero = {'7', '0'};
        assertThat(translation.take(zero, 2)).isEqualTo(new byte[] {'7'});
        assertThat(translation.holds()).isTrue();
        assertThat(translation.rest()).isEqualTo(new byte[] {'0'});
    }
}
