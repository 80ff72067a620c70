// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildDigestTest {
    private static final String NAME = "org/hcaactors/A.class";

    private record First() {}

    private record Second() {}

    @TempDir
    private Path folder;

    private Path folderWith(String name, String content) throws IOException {
        Path root = Files.createTempDirectory(folder, "classes");
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return root;
    }

    private Path jarWith(String name, String content) throws IOException {
        Path jar = Files.createTempFile(folder, "classes", ".jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(name));
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private static String digest(Path... classPath) throws SweepRefusedException {
        return BuildDigest.of(List.of(classPath), List.of());
    }

    @Test
    void aJarHasTheDigestOfTheSameFolder() throws IOException, SweepRefusedException {
        assertThat(digest(jarWith(NAME, "1"))).isEqualTo(digest(folderWith(NAME, "1")));
    }

    @Test
    void anotherClassGivesAnotherDigest() throws IOException, SweepRefusedException {
        assertThat(digest(folderWith(NAME, "1"))).isNotEqualTo(digest(folderWith(NAME, "2")));
    }

    @Test
    void librariesDoNotCountNorWhatIsHidden() throws IOException, SweepRefusedException {
        Path first = folderWith(NAME, "1");
        assertThat(digest(first, folderWith(NAME, "hidden"), jarWith("org/other/B.class", "2"), folder.resolve("no")))
                .isEqualTo(digest(first));
    }

    @Test
    void theInvariantsThatWorldsLoadCount() throws IOException, SweepRefusedException {
        List<Path> classPath = List.of(folderWith(NAME, "1"));
        String none = BuildDigest.of(classPath, List.of());
        String one = BuildDigest.of(classPath, List.of(First.class));
        String other = BuildDigest.of(classPath, List.of(Second.class));
        String both = BuildDigest.of(classPath, List.of(Second.class, First.class));
        assertThat(List.of(none, one, other, both)).doesNotHaveDuplicates();
        assertThat(BuildDigest.of(classPath, List.of(First.class, Second.class)))
                .isEqualTo(both);
    }

    @Test
    void aClassPathWithoutThisProjectIsRefusedInWords() throws IOException {
        Path other = jarWith("org/other/B.class", "2");
        assertThatThrownBy(() -> digest(other))
                .isInstanceOfSatisfying(
                        SweepRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(SweepRefusedException.Reason.BUILD_UNKNOWN))
                .hasMessageContaining(other + "] has no class of org.hcaactors");
    }

    @Test
    void theClassPathHasADigest() throws SweepRefusedException {
        assertThat(BuildDigest.ofClassPath()).matches("[0-9a-f]{16}");
    }
}
