// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.seeds.TestName;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The shrunk run of a failed test: in its message, in its report, and as source to rerun. */
class SmallRunTest {
    @TempDir
    private Path folder;

    private String told(Class<?> sample, String... parameters) {
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString());
        for (int i = 0; i < parameters.length; i += 2) {
            kit = kit.configurationParameter(parameters[i], parameters[i + 1]);
        }
        return kit.execute().testEvents().failed().stream()
                .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream())
                .map(failure -> String.valueOf(failure.getMessage()))
                .findFirst()
                .orElseThrow();
    }

    static class LosesAnAnswer {
        @RdmaTest
        void failsAfterALostAck(World world, ConnectedPair pair) {
            world.tell(world.adapter("a"), "program store", "puts 7");
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
            assertThat(world.seed()).as("a wish").isEqualTo(-1);
        }
    }

    @Test
    void theMessagesLadderIsOfTheSmallRun() {
        String told = told(LosesAnAnswer.class);
        assertThat(told)
                .containsPattern("\nrun       from here on the minimal run: \\d+ events; the whole run has \\d+\n")
                .doesNotContain("✗");
        assertThat(told(LosesAnAnswer.class, "rdma.shrink", "0")).contains("✗").doesNotContain("\nshown ");
    }

    private JsonNode json(String html, String block) throws IOException {
        Matcher found = Pattern.compile(
                        "<script type=\"application/json\" " + block + ">(.*?)</script>", Pattern.DOTALL)
                .matcher(html);
        assertThat(found.find()).as(block).isTrue();
        return new ObjectMapper().readTree(found.group(1));
    }

    private String report(Class<?> sample, String method) throws IOException {
        return Files.readString(
                folder.resolve(TestName.simple(sample.getName()) + "." + method).resolve("seed-0/report.html"));
    }

    @Test
    void theReportBeginsWithTheMessageAndTheMinimalRun() throws IOException {
        String told = told(LosesAnAnswer.class);
        String html = report(LosesAnAnswer.class, "failsAfterALostAck");
        JsonNode test = json(html, "id=\"failed-test\"");
        assertThat(told)
                .startsWith(test.at("/assertion").asText())
                .contains(
                        "at        " + test.at("/line").asText(),
                        "replay    " + test.at("/replay").asText());
        assertThat(test.at("/facts").toString()).contains("[\"minimal\",\"0 faults of 1 (");
        assertThat(html.indexOf("data-run=\"minimal\"")).isBetween(0, html.indexOf("data-run=\"whole\""));
        JsonNode small = json(html, "class=\"run\" data-run=\"minimal\"");
        JsonNode whole = json(html, "class=\"run\" data-run=\"whole\"");
        assertThat(small.at("/events/id"))
                .hasSizeLessThan(whole.at("/events/id").size());
        assertThat(small.at("/texts").toString()).contains("program store", "puts 7");
    }

    private static RecordedSchedule schedule(int length) {
        int[] choices = new int[length];
        choices[length - 1] = 1;
        return RecordedSchedule.of(choices);
    }

    @Test
    void aDollarIsEscapedInKotlin() {
        assertThat(Language.JAVA.quoted("a$b\\c")).isEqualTo("\"a$b\\\\c\"");
        assertThat(Language.KOTLIN.quoted("a$b")).isEqualTo("\"a\\$b\"");
    }

    static class ReadsItsSchedule {
        @RdmaTest(schedule = "file:target/small-run-test.schedule.txt")
        void fromAFile(World world, ConnectedPair pair) {
            throw new AssertionError(world.recordedSchedule().toString());
        }
    }

    @Test
    void theAnnotationReadsItFromAFile() throws IOException {
        RecordedSchedule schedule = schedule(3);
        Files.writeString(Path.of("target/small-run-test.schedule.txt"), schedule + "\n");
        assertThat(told(ReadsItsSchedule.class, "rdma.shrink", "0")).startsWith(schedule.toString());
    }

    @Test
    void aMissingScheduleFileIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSchedule.named("file:no/such/schedule.txt"))
                .withMessageContaining("file:no/such/schedule.txt cannot be read from /");
    }
}
