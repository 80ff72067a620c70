// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.IOException;
import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.network.RdmaNetwork;

/** Calls for the process itself: its end, and faults that a program asks for by name. Any thread. */
final class ProcessCalls {
    /** Maximum length of a fault's name. */
    private static final int MAX_NAME_BYTES = 256;

    private final ServedAdapter served;
    private final RunReport report;

    ProcessCalls(ServedAdapter served, RunReport report) {
        this.served = served;
        this.report = report;
    }

    void finish() throws IOException {
        report.write(served);
    }

    void fault(Block words) {
        long lengthBytes = words.word(Calls.Fault.TEXT_BYTES);
        if (lengthBytes < 0 || lengthBytes > MAX_NAME_BYTES) {
            throw VerbsException.invalid(
                    "the fault's name has " + lengthBytes + " bytes; 0 to " + MAX_NAME_BYTES + " is allowed");
        }
        fault(AddressSpace.text(words.word(Calls.Fault.TEXT), lengthBytes));
    }

    private void fault(String name) {
        RdmaNetwork network = served.network();
        switch (name) {
            case "unplug" -> network.unplug(served.adapter());
            case "plug" -> network.plug(served.adapter());
            case "change-gids" -> {
                List<Gid> same = served.adapter().port(1).gidTable();
                network.setGidTable(served.adapter(), same);
            }
            default ->
                throw new VerbsException(
                        Errno.ENOENT, "\"" + name + "\" is no fault; unplug, plug and change-gids are allowed");
        }
    }
}
