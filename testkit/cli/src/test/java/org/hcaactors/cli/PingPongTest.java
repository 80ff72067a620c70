// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of {@code hca pingpong}. */
class PingPongTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void pingpongRunsInRealAndInVirtualTime() throws IOException {
        JsonNode real =
                JSON.readTree(CommandRun.of("pingpong", "--json", "-n", "200").out());
        assertThat(real.get("bytes").asLong()).isEqualTo(200L * 2 * 4096);
        CommandRun one = CommandRun.of("pingpong", "--seed", "5", "-n", "50");
        assertThat(one.status()).isZero();
        assertThat(one.out())
                .isEqualTo(CommandRun.of("pingpong", "--seed", "5", "-n", "50").out());
        assertThat(one.out().getBytes(StandardCharsets.UTF_8)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud", "srq", "xrc", "xrc -c 4"})
    void pingpongPlaysOverEveryTransport(String transport) throws IOException {
        CommandRun run = CommandRun.of(("pingpong --seed 7 -n 10 --json --transport " + transport).split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode told = JSON.readTree(run.out());
        int bytes = transport.equals("ud") ? 2048 : 4096;
        int rounds = transport.equals("srq") ? 160 : transport.equals("xrc -c 4") ? 40 : 10;
        assertThat(told.get("bytes").asLong()).isEqualTo(2L * bytes * rounds);
    }
}
