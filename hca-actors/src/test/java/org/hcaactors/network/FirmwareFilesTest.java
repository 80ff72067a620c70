// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.firmware.FirmwareException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings in files, which stay intact when the program is killed (rule firmware-kept). */
class FirmwareFilesTest {
    private static final byte[] OLD = "the settings of before".getBytes(US_ASCII);
    private static final byte[] NEW = "and the new ones, which have more bytes".getBytes(US_ASCII);

    @TempDir
    private Path folder;

    /** The program was killed: no further step runs, and nothing is reported. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Executes a limited number of steps; each byte of a write is a step. */
    private static final class KilledFileSteps implements FileOperations {
        private int left;
        final List<String> done = new ArrayList<>();

        KilledFileSteps(int steps) {
            left = steps;
        }

        private void step(String what) {
            if (left-- <= 0) {
                throw new Killed();
            }
            done.add(what);
        }

        @Override
        public void write(Path file, byte[] bytes) throws IOException {
            for (int end = 0; end <= bytes.length; end++) {
                step("write " + file.getFileName());
                REAL.write(file, Arrays.copyOf(bytes, end));
            }
        }

        @Override
        public void force(Path file) throws IOException {
            step("force " + file.getFileName());
            REAL.force(file);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step("rename " + from.getFileName() + " " + to.getFileName());
            REAL.rename(from, to);
        }
    }

    @BeforeEach
    void somethingIsThere() {
        FirmwareFiles.in(folder).save("a", OLD);
    }

    @Test
    void aKillAtAnyStepLeavesTheOldSettingsOrTheNewOnes() {
        int steps = NEW.length + 4;
        for (int kill = 0; kill < steps; kill++) {
            FirmwareFiles.in(folder).save("a", OLD);
            FirmwareFiles dying = FirmwareFiles.in(folder, new KilledFileSteps(kill));
            assertThatThrownBy(() -> dying.save("a", NEW)).isInstanceOf(Killed.class);
            byte[] expected = kill < steps - 1 ? OLD : NEW;
            assertThat(FirmwareFiles.in(folder).load("a"))
                    .as("killed after step %s", kill)
                    .hasValue(expected);
            FirmwareFiles.in(folder).save("a", NEW);
            assertThat(FirmwareFiles.in(folder).load("a"))
                    .as("and written anew")
                    .hasValue(NEW);
        }
    }

    /** A host that stops keeps only forced data; if the rename reached the disk before the bytes, the file would be empty. */
    @Test
    void theBytesAreForcedBeforeTheRename() {
        KilledFileSteps steps = new KilledFileSteps(Integer.MAX_VALUE);
        FirmwareFiles.in(folder, steps).save("a", NEW);
        assertThat(steps.done.stream().distinct())
                .containsExactly(
                        "write a.conf.new",
                        "force a.conf.new",
                        "rename a.conf.new a.conf",
                        "force " + folder.getFileName());
    }

    @Test
    void settingsOfAnotherProgramAreNotOverwritten() {
        FirmwareFiles one = FirmwareFiles.in(folder);
        FirmwareFiles other = FirmwareFiles.in(folder);
        assertThat(one.load("b")).isEmpty();
        assertThat(other.load("b")).isEmpty();
        other.save("b", OLD);
        assertThatThrownBy(() -> one.save("b", NEW))
                .isInstanceOf(FirmwareException.class)
                .hasMessageContaining("another program has changed the settings meanwhile");
        assertThat(one.load("b")).hasValue(OLD);
        one.save("b", NEW);
        assertThat(other.load("b")).hasValue(NEW);
    }

    @Test
    void anInterruptedSaveFailsAndKeepsTheOldSettings() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> FirmwareFiles.in(folder).save("a", NEW))
                .isInstanceOf(FirmwareException.class)
                .hasMessageContaining("the thread was interrupted");
        assertThat(Thread.interrupted()).as("and stays interrupted").isTrue();
        assertThat(FirmwareFiles.in(folder).load("a")).hasValue(OLD);
    }

    @Test
    void eachAdapterHasAFileAndAFolderIsMade() {
        FirmwareFiles files = FirmwareFiles.in(folder.resolve("deep/er"));
        assertThat(files.load("b")).isEmpty();
        files.save("b", NEW);
        files.save("c", OLD);
        assertThat(files.load("b")).hasValue(NEW);
        assertThat(files.load("c")).hasValue(OLD);
        assertThat(files.location("b")).isEqualTo(folder + "/deep/er/b.conf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "force", "rename"})
    void aFailingDiskFailsTheSaveAndKeepsTheOldSettings(String broken) {
        FileOperations failing = new FileOperations() {
            private void check(String step) throws IOException {
                if (step.equals(broken)) {
                    throw new IOException("No space left on device");
                }
            }

            @Override
            public void write(Path file, byte[] bytes) throws IOException {
                check("write");
                REAL.write(file, bytes);
            }

            @Override
            public void force(Path file) throws IOException {
                check("force");
                REAL.force(file);
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                check("rename");
                REAL.rename(from, to);
            }
        };
        assertThatThrownBy(() -> FirmwareFiles.in(folder, failing).save("a", NEW))
                .isInstanceOf(FirmwareException.class)
                .hasMessage("Failed to write the settings to " + folder
                        + "/a.conf: No space left on device; the previous" + " settings remain in effect");
        assertThat(FirmwareFiles.in(folder).load("a")).hasValue(OLD);
    }

    @Test
    void anUnreadableFileFailsTheLoadAndIsNotTakenAsEmpty() throws IOException {
        Files.createDirectory(folder.resolve("d.conf"));
        assertThatThrownBy(() -> FirmwareFiles.in(folder).load("d"))
                .isInstanceOf(FirmwareException.class)
                .hasMessageContaining("d.conf can't be used: the file can't be read: the path is not a regular file");
    }

    @Test
    @Timeout(10)
    void aPipeInPlaceOfTheFileIsRefusedWithoutWaiting() throws IOException, InterruptedException {
        Path pipe = folder.resolve("p.conf");
        Process making = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(making.waitFor(5, TimeUnit.SECONDS)).as("the pipe is made").isTrue();
        assertThat(making.exitValue()).isZero();
        assertThatThrownBy(() -> FirmwareFiles.in(folder).load("p"))
                .hasMessageContaining("the path is not a regular file");
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefusedWithItsReason() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> FirmwareFiles.in(file).save("a", NEW))
                .hasMessage("Failed to write the settings to " + file + "/a.conf: " + file
                        + ": the path is not a folder; the previous settings remain in effect");
        assertThatThrownBy(() -> FirmwareFiles.in(file).load("a"))
                .hasMessageContaining("the file can't be read: " + file + "/a.conf: Not a directory;");
    }

    @Test
    @Timeout(10)
    void aSaveDuringAnotherProgramsWriteFailsAfterALimit() throws IOException {
        try (FileChannel other = FileChannel.open(folder.resolve("a.lock"), StandardOpenOption.WRITE)) {
            other.lock();
            assertThatThrownBy(() -> FirmwareFiles.in(folder).save("a", NEW))
                    .hasMessageContaining(
                            "a.conf: another program is writing the settings; the previous settings remain");
        }
        FirmwareFiles.in(folder).save("a", NEW);
    }

    @Test
    void aSaveOverAnotherProgramsChangeIsRefused() {
        FirmwareFiles mine = FirmwareFiles.in(folder);
        mine.load("a");
        FirmwareFiles.in(folder).save("a", NEW);
        assertThatThrownBy(() -> mine.save("a", OLD))
                .hasMessageContaining("another program has changed the settings meanwhile");
        assertThat(mine.load("a")).hasValue(NEW);
        mine.save("a", OLD);
        assertThat(FirmwareFiles.in(folder).load("a")).hasValue(OLD);
    }
}
