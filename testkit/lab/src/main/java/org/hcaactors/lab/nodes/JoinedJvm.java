// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.net.Socket;
import java.util.Optional;

/** A JVM, of any machine, that has joined to run seeds of this JVM's tests. */
record JoinedJvm(String name, Socket socket, SeedLink link) implements SeedNode {
    /** The first word that a JVM sends: a connection that begins with another one is of another program, or another version. */
    static final int GREETING = 0x48534A01;

    /** Time in which a JVM says its build, and between two messages of one that runs seeds. */
    static final int LONGEST_SILENCE_MILLIS = 30_000;

    /** Properties of this JVM that the other one gets: others may be secrets, and are of this machine. */
    private static final String PREFIX = "rdma.";

    /**
     * Lets a JVM join that has connected. Blocks for {@value #LONGEST_SILENCE_MILLIS} ms at most.
     *
     * @param build digest of the classes of this JVM, which the other one must have, too
     * @throws IOException if it may not join; it gets the same words
     */
    static JoinedJvm admit(Socket socket, String build) throws IOException {
        socket.setSoTimeout(LONGEST_SILENCE_MILLIS);
        socket.setTcpNoDelay(true);
        SeedLink link = SeedLink.of(socket.getOutputStream(), socket.getInputStream());
        if (link.in().readInt() != GREETING) {
            throw new IOException("it is no JVM that runs seeds, or one of another version");
        }
        Optional<String> refusal = refusal(build, SeedWire.text(link.in()));
        SeedWire.put(refusal.orElse(""), link.out());
        link.out().flush();
        if (refusal.isPresent()) {
            throw new IOException(refusal.get());
        }
        link.sendProperties(PREFIX);
        return new JoinedJvm(
                "jvm at " + socket.getInetAddress().getHostAddress() + ":" + socket.getPort(), socket, link);
    }

    /** Returns the digest that this JVM compares; IOException if the class path has no class of this project. */
    static String ownBuild() throws IOException {
        return BuildDigest.ofClassPath()
                .orElseThrow(() -> new IOException("the class path has no class of org.hcaactors"));
    }

    private static Optional<String> refusal(String ours, String theirs) {
        return ours.equals(theirs)
                ? Optional.empty()
                : Optional.of("its classes are of build " + theirs + ", and those of the tests of build " + ours
                        + "; both must be compiled from the same sources");
    }

    @Override
    public String end() {
        close();
        return "is gone";
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException broken) {
            // The other end sees its end.
        }
    }
}
