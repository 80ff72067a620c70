// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.hcaactors.benchmarks.CpuTime;

/** The other JVM. It answers each line of its input with its CPU time, and ends with its input. */
public final class CablePeer {
    static final String READY = "ready";

    private CablePeer() {}

    /** @param arguments {@link Places#arguments} */
    public static void main(String[] arguments) throws IOException {
        Places places = Places.of(arguments);
        try (BareServer bare = new BareServer(places);
                RdmaServer rdma = new RdmaServer(places)) {
            System.out.println(READY);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println(CpuTime.nanos());
            }
        }
    }
}
