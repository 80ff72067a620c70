// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of this machine that runs seeds of this JVM's tests. */
record NodeJvm(String name, Process process, SeedLink link) implements SeedNode {
    private static final int LONGEST_END_SECONDS = 5;

    /** Surefire keeps the class path of its own classes there, JUnit's launcher among them. */
    private static final String WHOLE_CLASS_PATH = "surefire.real.class.path";

    /** Starts one with the class path, the JVM arguments and the system properties of this JVM. */
    static NodeJvm start(String name) throws IOException {
        String ours = System.getProperty("java.class.path");
        List<String> command =
                ChildJvm.command(SeedWorker.class, System.getProperty(WHOLE_CLASS_PATH, ours), List.of());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        NodeJvm jvm = new NodeJvm(name, process, SeedLink.of(process.getOutputStream(), process.getInputStream()));
        jvm.link.sendProperties("");
        return jvm;
    }

    @Override
    public String end() {
        close();
        return process.isAlive() ? "did not end" : "ended with exit code " + process.exitValue();
    }

    /** Ends it: it ends by itself when nothing more can come. */
    @Override
    public void close() {
        try {
            link.out().close();
        } catch (IOException broken) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
