// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    private static Optional<String> digest(Path... classPath) {
        return BuildDigest.of(List.of(classPath), List.of());
    }

    @Test
    void aJarHasTheDigestOfTheSameFolder() throws IOException {
        assertThat(digest(jarWith(NAME, "1"))).isEqualTo(digest(folderWith(NAME, "1")));
    }

    @Test
    void anotherClassGivesAnotherDigest() throws IOException {
        assertThat(digest(folderWith(NAME, "1"))).isNotEqualTo(digest(folderWith(NAME, "2")));
    }

    @Test
    void librariesDoNotCountNorWhatIsHidden() throws IOException {
        Path first = folderWith(NAME, "1");
        assertThat(digest(first, folderWith(NAME, "hidden"), jarWith("org/other/B.class", "2"), folder.resolve("no")))
                .isEqualTo(digest(first));
    }

    @Test
    void theClassesOfTheTestsCount() throws IOException {
        Path first = folderWith(NAME, "1");
        assertThat(digest(first, folderWith("our/Test.class", "1")))
                .isNotEqualTo(digest(first, folderWith("our/Test.class", "2")))
                .isEqualTo(digest(first, folderWith("our/Test.class", "1"), folderWith("our/notes.txt", "2")));
    }

    @Test
    void theInvariantsThatWorldsLoadCount() throws IOException {
        List<Path> classPath = List.of(folderWith(NAME, "1"));
        Optional<String> none = BuildDigest.of(classPath, List.of());
        Optional<String> one = BuildDigest.of(classPath, List.of(First.class));
        Optional<String> other = BuildDigest.of(classPath, List.of(Second.class));
        Optional<String> both = BuildDigest.of(classPath, List.of(Second.class, First.class));
        assertThat(List.of(none, one, other, both)).doesNotHaveDuplicates();
        assertThat(BuildDigest.of(classPath, List.of(First.class, Second.class)))
                .isEqualTo(both);
    }

    @Test
    void aClassPathWithoutThisProjectHasNone() throws IOException {
        assertThat(digest(jarWith("org/other/B.class", "2"))).isEmpty();
    }

    @Test
    void theClassPathHasADigest() {
        assertThat(BuildDigest.ofClassPath())
                .hasValueSatisfying(digest -> assertThat(digest).matches("[0-9a-f]{16}"));
    }
}
