// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void aJarHasTheDigestOfTheSameFolder() throws IOException {
        assertThat(BuildDigest.of(List.of(jarWith(NAME, "1"))))
                .isEqualTo(BuildDigest.of(List.of(folderWith(NAME, "1"))));
    }

    @Test
    void anotherClassGivesAnotherDigest() throws IOException {
        assertThat(BuildDigest.of(List.of(folderWith(NAME, "1"))))
                .isNotEqualTo(BuildDigest.of(List.of(folderWith(NAME, "2"))));
    }

    @Test
    void librariesDoNotCountNorWhatIsHidden() throws IOException {
        Path first = folderWith(NAME, "1");
        assertThat(BuildDigest.of(List.of(
                        first, folderWith(NAME, "hidden"), jarWith("org/other/B.class", "2"), folder.resolve("no"))))
                .isEqualTo(BuildDigest.of(List.of(first)));
    }

    @Test
    void theClassPathHasADigest() {
        assertThat(BuildDigest.ofClassPath()).matches("[0-9a-f]{16}");
    }
}
