// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * Program of a JVM that joins tests with {@code -Drdma.listen}, on this machine or another one, and runs seeds for them until they end:
 * {@code java -cp CLASSPATH org.hcaactors.lab.nodes.SeedRunner HOST:PORT}, with the class path of the tests and JUnit's launcher.
 */
final class SeedRunner {
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Attempts to connect, for five minutes: a build may still compile the tests. */
    private static final int ATTEMPTS = 600;

    private static final int REFUSED = 2;

    private SeedRunner() {}

    /** Runs the program. Its status is 0 if the tests ended, 2 if it could not join. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            refuse("one argument is required: the HOST:PORT at which the tests listen (-Drdma.listen)");
        }
        try {
            join(HostPort.parse(arguments[0]));
        } catch (IllegalArgumentException wrong) {
            refuse(String.valueOf(wrong.getMessage()));
        } catch (EOFException closed) {
            refuse(arguments[0] + ": no tests listen there, or no more JVMs may join them");
        } catch (IOException refused) {
            refuse(arguments[0] + ": " + refused.getMessage());
        }
    }

    private static void refuse(String why) {
        System.err.println("hca: " + why);
        System.exit(REFUSED);
    }

    private static void join(HostPort address) throws IOException, InterruptedException {
        String build = JoinedJvm.ownBuild();
        try (Socket socket = connect(address)) {
            SeedLink link = SeedLink.of(socket.getOutputStream(), socket.getInputStream());
            link.out().writeInt(JoinedJvm.GREETING);
            SeedWire.put(build, link.out());
            link.out().flush();
            String refusal = SeedWire.text(link.in());
            if (!refusal.isEmpty()) {
                throw new IOException("refused: " + refusal);
            }
            System.err.println("running seeds of the tests at " + address);
            SeedWorker.serve(link, () -> System.err.println("the tests at " + address + " have ended"));
        }
    }

    private static Socket connect(HostPort address) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address.host(), address.port()), JoinedJvm.LONGEST_SILENCE_MILLIS);
                socket.setTcpNoDelay(true);
                return socket;
            } catch (ConnectException refused) {
                socket.close();
                if (attempt == ATTEMPTS) {
                    throw new IOException("no tests listen there", refused);
                }
                Thread.sleep(PAUSE);
            } catch (IOException | RuntimeException wrong) {
                socket.close();
                throw wrong;
            }
        }
    }
}
