// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server and its client: the same program, which introduces itself over TCP. */
record ProgramPair(Ended server, Ended client) {
    static ProgramPair run(String... command) throws IOException, InterruptedException {
        return run(Map.of(), List.of(command));
    }

    /** @param additional variables of both */
    static ProgramPair run(Map<String, String> additional, List<String> command)
            throws IOException, InterruptedException {
        int port = freePort();
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of("-p", Integer.toString(port)));
        List<String> other = new ArrayList<>(line);
        other.add("127.0.0.1");
        return run(additional, line, port, other);
    }

    /**
     * Runs a server and then its client.
     *
     * @param port at which the server listens
     */
    static ProgramPair run(Map<String, String> additional, List<String> first, int port, List<String> second)
            throws IOException, InterruptedException {
        Ends ends = Ends.drawn();
        try (Started server = ends.server(additional, first)) {
            server.awaitListening(port);
            try (Started client = ends.client(additional, second)) {
                Ended ended = client.end();
                return new ProgramPair(server.end(), ended);
            }
        }
    }

    /** Addresses of two adapters. */
    record Ends(String first, String second) {
        static Ends drawn() {
            return new Ends(VerbsFolder.address(), VerbsFolder.address());
        }

        Started server(Map<String, String> additional, List<String> command) throws IOException {
            return start(first, "a", second + "=b", additional, command);
        }

        Started client(Map<String, String> additional, List<String> command) throws IOException {
            return start(second, "b", first + "=a", additional, command);
        }

        private static Started start(
                String address, String name, String peers, Map<String, String> additional, List<String> command)
                throws IOException {
            Map<String, String> environment = new LinkedHashMap<>(additional);
            environment.put("HCA_VERBS_NAME", name);
            environment.put("HCA_VERBS_PEERS", peers);
            return Started.of(address, environment, command);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    void assertDone() {
        client.assertDone();
        server.assertDone();
    }
}
