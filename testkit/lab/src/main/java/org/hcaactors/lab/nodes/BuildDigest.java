// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;
import org.hcaactors.lab.invariant.InvariantProvider;

/**
 * Digest of this project's classes and of those in folders on the class path, which are a program's and its tests', and of the class of each {@link InvariantProvider} that worlds load: a node with
 * fewer invariants would find fewer failures. Other classes of the provider's jar do not count. The same seed gives the same run only
 * with the same classes, and the version of a build in development does not tell builds apart.
 */
public final class BuildDigest {
    private static final String CLASSES = "org/hcaactors/";
    private static final int DIGITS = 16;

    private BuildDigest() {}

    /** Returns the digest as {@value #DIGITS} hexadecimal digits; empty if the class path has no class of this project. */
    public static Optional<String> ofClassPath() {
        String classPath = System.getProperty("java.class.path");
        List<Path> entries =
                Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList();
        return of(
                entries,
                ServiceLoader.load(InvariantProvider.class, InvariantProvider.class.getClassLoader()).stream()
                        .<Class<?>>map(ServiceLoader.Provider::type)
                        .toList());
    }

    static Optional<String> of(List<Path> classPath, List<Class<?>> providers) {
        SortedMap<String, Long> checksums = new TreeMap<>();
        try {
            for (Path entry : classPath) {
                if (Files.isDirectory(entry)) {
                    addFolder(entry, checksums);
                } else if (Files.isRegularFile(entry)) {
                    addJar(entry, checksums);
                }
            }
            if (checksums.keySet().stream().noneMatch(name -> name.startsWith(CLASSES))) {
                return Optional.empty();
            }
            for (Class<?> provider : providers) {
                addProvider(provider, checksums);
            }
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(checksums.toString().getBytes(StandardCharsets.UTF_8));
            return Optional.of(HexFormat.of().formatHex(digest).substring(0, DIGITS));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException never) { // Every JDK has it.
            throw new IllegalStateException(never);
        }
    }

    private static void addFolder(Path folder, SortedMap<String, Long> checksums) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
                if (name.endsWith(".class")) {
                    checksums.putIfAbsent(name, checksum(Files.readAllBytes(file)));
                }
            }
        }
    }

    /** Adds its bytes under a name that is no file's, so that a node that does not load the class has another digest. */
    private static void addProvider(Class<?> provider, SortedMap<String, Long> checksums) throws IOException {
        String name = provider.getName();
        try (InputStream bytes = provider.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            checksums.put("invariants of " + name, bytes == null ? 0 : checksum(bytes.readAllBytes()));
        }
    }

    private static long checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return checksum.getValue();
    }

    /** Adds this project's files in a jar, unless one of the same name comes before it on the class path. */
    private static void addJar(Path jar, SortedMap<String, Long> checksums) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream()
                    .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(CLASSES))
                    .forEach(entry -> checksums.putIfAbsent(entry.getName(), entry.getCrc()));
        }
    }
}
