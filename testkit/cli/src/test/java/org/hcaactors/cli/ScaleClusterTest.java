// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code hca scale --cluster}. */
class ScaleClusterTest {
    private static CommandRun scale(String line) {
        return CommandRun.of(("scale " + line).split(" "));
    }

    @Test
    @Tag("nightly")
    void theJvmsHoldTheMeshTogether() throws IOException {
        CommandRun run = scale("--cluster 2 --nodes 3,64 --processes 2 --measure-up-to 200 --transports rc,dc8 --json");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        JsonNode root = new ObjectMapper().readTree(run.out());
        assertThat(root.path("jvms").asInt()).isEqualTo(2);
        assertThat(root.path("rows")).hasSize(2).allSatisfy(row -> {
            JsonNode one = row.path("oneJvm");
            assertThat(row.path("nodes").asInt()).isEqualTo(3);
            assertThat(one.path("adapters").asInt()).isEqualTo(3);
            assertThat(row.path("byJvm")).hasSize(2);
            assertThat(sum(row.path("byJvm"), "adapters")).isEqualTo(3);
            assertThat(sum(row.path("byJvm"), "queuePairs"))
                    .isEqualTo(one.path("queuePairs").asInt());
            assertThat(row.path("largestHeapBytes").asLong()).isPositive();
        });
        assertThat(root.path("rows").path(0).path("oneJvm").path("queuePairs").asInt())
                .isEqualTo(24);
        assertThat(root.path("rows").path(1).path("oneJvm").path("queuePairs").asInt())
                .isEqualTo(54);
    }

    private static int sum(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .mapToInt(each -> each.path(field).asInt())
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "--cluster 3 --nodes 2,there is none",
        "--cluster 2 --nodes 1024,2 to 1000 nodes",
        "--cluster 2 --nodes 4 --measure-up-to 10,at most the 10 queue pairs",
        "--cluster 1,2 to 16"
    })
    void whatCannotBeBuiltIsRefused(String line, String words) {
        CommandRun run = scale(line);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(words);
        assertThat(run.out()).isEmpty();
    }
}
