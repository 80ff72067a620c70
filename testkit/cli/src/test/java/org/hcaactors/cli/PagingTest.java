// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Measurements of {@code hca paging}, and the files that it serves. */
class PagingTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    // rules paging-counters, paging-gauges, paging-statistics, paging-histogram
    @Test
    void pagingIsMeasuredAndKernelFilesHaveBothTheirNames() throws IOException {
        String sys = "/sys/class/infiniband_verbs/uverbs0/";
        String debug = "/sys/kernel/debug/mlx5/0000:04:00.0/odp_stats/";
        assertThat(CommandRun.of("paging", "-s", "1000000").out())
                .contains(
                        "  cold ",
                        "  prefetched ",
                        "(cold, warm, evicted): page_faults 490, page_invalidations 245, page_prefetch 0",
                        "(prefetched): page_faults 0, page_invalidations 0, page_prefetch 245",
                        sys + "num_page_faults: ",
                        "/sys/class/infiniband_verbs/uverbs1/num_page_faults: 0",
                        debug + "num_odp_mr_pages: readable only for root");
        assertThat(CommandRun.of(
                                "paging",
                                "-s",
                                "1000000",
                                "--as-root",
                                sys + "num_prefetches_handled",
                                sys + "num_prefetchs_handled",
                                sys + "num_prefetch_pages",
                                debug + "num_prefetch",
                                debug + "num_odp_mrs")
                        .out())
                .isEqualTo("1\n1\n245\n1\n3\n");
        assertThat(CommandRun.of("paging", "-s", "5000", debug + "odp_hist").err())
                .contains("odp_hist: permission denied; only root may read it");
        assertThat(CommandRun.of("paging", "-s", "5000", "--as-root", debug + "odp_hist")
                        .out())
                .containsPattern("\\d+\\.\\.\\d+ us: \\d");
        assertThat(CommandRun.of("paging", "-s", "5000", sys + "num_faults").err())
                .contains("num_faults: no such file");
        JsonNode told =
                JSON.readTree(CommandRun.of("paging", "-s", "1000000", "--json").out());
        JsonNode writes = told.get("writes");
        assertThat(writes.findValuesAsText("region"))
                .containsExactly("none: pinned", "cold", "warm", "evicted", "prefetched", "implicit, cold");
        assertThat(writes.get(2).get("nanos"))
                .as("warm as pinned")
                .isEqualTo(writes.get(0).get("nanos"));
        assertThat(writes.get(4).get("nanos"))
                .as("prefetched, too")
                .isEqualTo(writes.get(0).get("nanos"));
        assertThat(writes.get(1).get("nanos").asLong())
                .isGreaterThan(writes.get(0).get("nanos").asLong());
        assertThat(writes.get(3).get("nanos").asLong())
                .as("reading back takes longest")
                .isGreaterThan(writes.get(1).get("nanos").asLong());
    }
}
