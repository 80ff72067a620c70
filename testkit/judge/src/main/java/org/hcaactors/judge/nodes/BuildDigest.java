// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Digest of this project's classes on the class path. The same seed gives the same run only with the same classes, and the version
 * of a build in development does not tell builds apart.
 */
final class BuildDigest {
    private static final String CLASSES = "org/hcaactors/";
    private static final int DIGITS = 16;

    private BuildDigest() {}

    /** Returns the digest as {@value #DIGITS} hexadecimal digits. */
    static String ofClassPath() {
        return of(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList());
    }

    static String of(List<Path> classPath) {
        SortedMap<String, Long> checksums = new TreeMap<>();
        try {
            for (Path entry : classPath) {
                if (Files.isDirectory(entry)) {
                    addFolder(entry, checksums);
                } else if (Files.isRegularFile(entry)) {
                    addJar(entry, checksums);
                }
            }
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(checksums.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException never) { // Every JDK has it.
            throw new IllegalStateException(never);
        }
    }

    private static void addFolder(Path folder, SortedMap<String, Long> checksums) throws IOException {
        Path classes = folder.resolve(CLASSES);
        if (!Files.isDirectory(classes)) {
            return;
        }
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                CRC32 checksum = new CRC32();
                checksum.update(Files.readAllBytes(file));
                add(
                        folder.relativize(file).toString().replace(File.separatorChar, '/'),
                        checksum.getValue(),
                        checksums);
            }
        }
    }

    private static void addJar(Path jar, SortedMap<String, Long> checksums) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream().filter(entry -> !entry.isDirectory()).forEach(entry -> add(entry, checksums));
        }
    }

    private static void add(ZipEntry entry, SortedMap<String, Long> checksums) {
        add(entry.getName(), entry.getCrc(), checksums);
    }

    /** Adds a file, unless one of the same name comes before it on the class path. */
    private static void add(String name, long checksum, SortedMap<String, Long> checksums) {
        if (name.startsWith(CLASSES)) {
            checksums.putIfAbsent(name, checksum);
        }
    }
}
