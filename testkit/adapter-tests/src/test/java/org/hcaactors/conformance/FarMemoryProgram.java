// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.tests.cable.Host;
import org.hcaactors.tests.cable.ReadyProcess;
import org.hcaactors.tests.cluster.Node;

/** A program on a node of its own that is the passive end of reliable connections, and does what the lines of its input say. */
final class FarMemoryProgram {
    static final String NAME = "far";

    private final Host host;
    private final MemoryRegion guarded;
    private RcQueuePair qp;

    private FarMemoryProgram(Host host) {
        this.host = host;
        guarded = host.await(host.domain.register(host.memory, Access.LOCAL_WRITE));
        qp = host.await(host.domain.createQp(QpDescription.rc()));
    }

    /** @param arguments name of the node's peer, address of the peer's actor system */
    public static void main(String[] arguments) throws IOException {
        try (Node node = Node.start(NAME, 0, arguments[1])) {
            node.awaitAdapters(arguments[0]);
            FarMemoryProgram program = new FarMemoryProgram(node.host);
            ReadyProcess.answer(line -> program.answer(arguments[0], line.split(" ")));
        }
    }

    private String answer(String peer, String[] words) {
        return switch (words[0]) {
            case "place" -> place(host.region) + " " + place(guarded);
            case "connect" -> connect(peer, Integer.parseInt(words[1]), words[2]);
            case "read" -> Long.toString(host.memory.readLong(Long.parseLong(words[1])));
            case "write" -> {
                host.memory.writeLong(Long.parseLong(words[1]), Long.parseLong(words[2]));
                yield "written";
            }
            case "receive" -> {
                qp.postReceive(Receive.of(
                        Long.parseLong(words[1]),
                        host.region.slice(Long.parseLong(words[2]), Integer.parseInt(words[3]))));
                yield "posted";
            }
            case "poll" -> poll();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String place(MemoryRegion region) {
        return region.rkey() + " " + region.address();
    }

    private String connect(String peer, int number, String rights) {
        Access[] granted = Arrays.stream(rights.split(",")).map(Access::valueOf).toArray(Access[]::new);
        qp = host.await(host.domain.createQp(QpDescription.rc()));
        host.await(qp.connect(
                host.network.locate(peer).orElseThrow(),
                number,
                ProcessPlace.TERMS.withRemoteAccess(AccessFlags.of(granted)).reversed()));
        return Integer.toString(qp.number());
    }

    private String poll() {
        List<WorkCompletion> came = host.await(qp.recvCq().poll(qp.recvCq().capacity()));
        return came.stream().map(each -> each.workId() + " " + each.status()).collect(Collectors.joining(","));
    }
}
