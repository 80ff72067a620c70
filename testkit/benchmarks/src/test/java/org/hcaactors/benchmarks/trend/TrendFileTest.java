// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrendFileTest {
    private static final TrendRun RUN = new TrendRun(
            new BenchMachine(2, "JVM 25", "Linux amd64"),
            Optional.of("abc"),
            Optional.of("a.json.build"),
            true,
            List.of(Map.of("SEND", new FloorRatio(1.25, 0.5)), Map.of("SEND", new FloorRatio(1.5, 0.25))));

    @TempDir
    private Path folder;

    @Test
    void aWrittenRunIsRead() {
        Path file = folder.resolve("a.json");
        TrendFile.write(file, RUN);
        assertThat(TrendFile.read(file)).isEqualTo(RUN);
    }

    @Test
    void unknownValuesMayBeMissing() {
        TrendRun bare = new TrendRun(RUN.machine(), Optional.empty(), Optional.empty(), false, RUN.rounds());
        assertThat(TrendFile.read("a", TrendFile.text(bare))).isEqualTo(bare);
        String text = TrendFile.text(bare).replaceAll("\"(commit|build)\" : null,", "");
        assertThat(TrendFile.read("a", text)).isEqualTo(bare);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SEND 1.2",
                "[]",
                "{}",
                "{\"trend\":1}",
                "{\"trend\":2,\"run\":null}",
                "{\"trend\":1,\"run\":{\"rounds\":null}}",
            })
    void aFileThatIsNoStoredRunIsRefusedInALine(String text) {
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read("a.json", text))
                .withMessageStartingWith("a.json ")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }

    @Test
    void aRefusalNamesTheMistakeAndItsPlace() {
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read("a.json", "{\n  SEND 1.2"))
                .withMessage("a.json is no stored run: line 2, column 3 is no JSON");
        String text = TrendFile.text(RUN);
        for (String broken : List.of(text.substring(0, text.indexOf("1.25")), text + "<<<<<<< HEAD")) {
            assertThatExceptionOfType(TrendRefusal.class)
                    .isThrownBy(() -> TrendFile.read("a.json", broken))
                    .withMessageMatching("a\\.json is no stored run: line \\d+, column \\d+ is no JSON");
        }
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read("a.json", TrendFile.text(RUN).replace("1.25", "\"fast\"")))
                .withMessageMatching(
                        "a\\.json is no stored run: run\\.rounds\\[0]\\..* has another form than `bench --store` writes");
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read("a.json", "[]"))
                .withMessage("a.json is no stored run: the document has another form than `bench --store` writes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1.0", "0.0", "\"NaN\"", "null", "[]"})
    void aRatioIsAPositiveNumber(String ratio) {
        String text = TrendFile.text(RUN).replace("1.25", ratio);
        assertThatExceptionOfType(TrendRefusal.class).isThrownBy(() -> TrendFile.read("a.json", text));
    }

    @Test
    void aRunWithoutRoundsIsRefused() {
        TrendRun empty = new TrendRun(RUN.machine(), RUN.commit(), RUN.build(), true, List.of());
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read("a.json", TrendFile.text(empty)))
                .withMessage("a.json has no rounds");
    }

    @Test
    void aMissingFileIsRefused() {
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> TrendFile.read(folder.resolve("b.json")))
                .withMessageEndingWith("b.json is no file");
    }

    @Test
    void aBuildIsKeptInTheOrderOfItsClassPath() throws Exception {
        Path jar = Files.writeString(folder.resolve("z.jar"), "jar");
        Path classes = Files.createDirectories(folder.resolve("classes/of"));
        Files.writeString(classes.resolve("A.class"), "class");
        Path kept = KeptBuild.folderOf(folder.resolve("a.json"));
        String path = jar + ":" + folder.resolve("gone") + ":" + folder.resolve("classes");
        KeptBuild.keep(path.replace(":", File.pathSeparator), kept);
        assertThat(KeptBuild.classPath(kept))
                .hasValue(kept.resolve("000-z.jar") + File.pathSeparator + kept.resolve("001-classes"));
        assertThat(kept.resolve("001-classes/of/A.class")).hasContent("class");
        KeptBuild.remove(kept);
        assertThat(kept).doesNotExist();
    }

    @Test
    void aMissingBuildHasNoClassPath() {
        assertThat(KeptBuild.classPath(folder.resolve("gone"))).isEmpty();
    }
}
