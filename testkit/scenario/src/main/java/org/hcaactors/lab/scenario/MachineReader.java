// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.lab.hocon.Section;

/** Reads the host machine of an adapter and the environment of its processes. */
final class MachineReader {
    private static final int PAGE = 4096;
    private static final long MAX_BYTES = 4L << 40;
    private static final int MAX_NODES = 8;

    private MachineReader() {}

    static HostMachine machine(Section adapter) {
        HostMachine limited = adapter.has("locked-memory")
                ? HostMachine.DEFAULT.withLockedMemory(adapter.bytes("locked-memory", 0, Long.MAX_VALUE))
                : HostMachine.DEFAULT;
        HostMachine processors =
                adapter.has("platform") ? limited.withPlatform(adapter.one("platform", Platform.class)) : limited;
        if (!adapter.has("memory")) {
            return processors;
        }
        List<Section> nodes = adapter.sections("memory");
        if (nodes.isEmpty() || nodes.size() > MAX_NODES) {
            throw adapter.wrong("memory", nodes.size() + " memory nodes; 1 to " + MAX_NODES + " are allowed");
        }
        return processors.withNodes(nodes.stream().map(MachineReader::node).toArray(MemoryNode[]::new));
    }

    private static MemoryNode node(Section keys) {
        keys.only("bytes", "largest-block", "huge-pages");
        MemoryNode node = MemoryNode.of(keys.bytes("bytes", PAGE, MAX_BYTES) / PAGE * PAGE);
        if (keys.has("largest-block")) {
            long block = keys.bytes("largest-block", PAGE, 1L << MemoryNode.MAX_ORDER);
            if (Long.bitCount(block) != 1) {
                throw keys.wrong("largest-block", block + " bytes; a power of two from 4 KiB to 8 MiB is allowed");
            }
            node = node.withLargestFreeOrder(Long.numberOfTrailingZeros(block));
        }
        return keys.has("huge-pages") ? node.withHugePages((int) keys.whole("huge-pages", 0, Integer.MAX_VALUE)) : node;
    }

    static Map<String, String> environment(Section adapter) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (adapter.has("environment")) {
            Section keys = adapter.section("environment");
            keys.keys().forEach(name -> variables.put(name, keys.text(name)));
        }
        return variables;
    }
}
