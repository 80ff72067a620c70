// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A build of the fabric's nodes whose messages have version 2 and no other: the same sources with other numbers. Both are compiled,
 * as the compiler copies constants to where they are used.
 */
final class OtherVersion {
    private static final Path SOURCES = Path.of("../../fabric/cluster/src/main/java/org/hcaactors/fabric/cluster");

    private static final String PATH = System.getProperty("java.class.path");

    private OtherVersion() {}

    /**
     * Compiles it.
     *
     * @param folder an empty one
     * @return class path of a JVM that runs it
     */
    static String classPath(Path folder) throws IOException {
        String version = Files.readString(SOURCES.resolve("WireVersion.java"));
        String other = version.replace("OLDEST = 1;", "OLDEST = 2;").replace("NEWEST = 1;", "NEWEST = 2;");
        assertThat(other).contains("OLDEST = 2;", "NEWEST = 2;");
        Path changed = Files.writeString(folder.resolve("WireVersion.java"), other);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        compile(changed, SOURCES.resolve("UplinkActor.java"), classes);
        return classes + File.pathSeparator + PATH;
    }

    private static void compile(Path version, Path uplink, Path into) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-implicit:none", "-cp", PATH, "-d", into.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(version, uplink))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
    }
}
