// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages of the guide and the README show the samples as they are compiled and run. */
class ShownSamplesTest {
    private static final Path SAMPLES = Path.of("src/test/java/org/hcaactors/samples");
    private static final Path GUIDE = Path.of("../../docs/guide");
    private static final Pattern SHOWN =
            Pattern.compile("// docs (begin|continue)(.*?)// docs (?:pause|end)", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({
        "testing.md, StoreSurvivesTest.java",
        "own-invariants.md, HostilePeerTest.java",
        "paging.md, PagesOnDemandTest.java",
        "xrc.md, ProcessesShareTest.java",
        "as-notify.md, WokenThreadTest.java",
        "dc.md, ManyTargetsTest.java",
        "tag-matching.md, MessagesByTagTest.java",
        "threads.md, PollingLoopTest.java",
        "connections.md, ChannelFlowTest.java",
        "live-wire.md, LiveWireTest.java",
        "cluster.md, ClusterNodesTest.java",
        "recorded-peer.md, RecordedPeerTest.java",
        "connections.md, ReactorServiceTest.java",
        "connections.md, RxJavaServiceTest.java",
        "connections.md, KeyValueStore.java",
        "connections.md, StoreClient.java",
        "writing-tests.md, ActorsAndStreamsTest.java"
    })
    void theGuideShowsTheCompiledSample(String page, String sample) throws IOException {
        assertShown(GUIDE.resolve(page), SAMPLES.resolve(sample));
    }

    @Test
    void theReadmeShowsTheCompiledTest() throws IOException {
        assertShown(Path.of("../../README.md"), SAMPLES.resolve("StoreSurvivesTest.java"));
    }

    @ParameterizedTest
    @CsvSource({
        "testing.md, src/test/kotlin/org/hcaactors/samples/StoreSurvivesInKotlinTest.kt",
        "writing-tests.md, ../lab-kotlin/src/test/kotlin/org/hcaactors/lab/kotlin/RunWorldTest.kt"
    })
    void theGuideShowsTheCompiledKotlin(String page, Path sample) throws IOException {
        assertShown(GUIDE.resolve(page), sample);
    }

    private static void assertShown(Path page, Path sample) throws IOException {
        List<String> shown = new ArrayList<>();
        Matcher parts = SHOWN.matcher(Files.readString(sample));
        while (parts.find()) {
            String before = parts.group(1).equals("begin") ? "" : shown.removeLast();
            shown.add(before + squeezed(parts.group(2)));
        }
        assertThat(shown).isNotEmpty();
        assertThat(squeezed(Files.readString(page))).contains(shown);
    }

    /** The formatter may break lines elsewhere than the page does. */
    private static String squeezed(String text) {
        return String.join("", List.of(text.split("\\s+")));
    }
}
