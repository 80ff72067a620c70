// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.IOException;
import java.util.Arrays;
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

    /** Notes a call that the C side refused itself. */
    void noteRefusal(Block words) {
        String function = text(words, Calls.NoteRefusal.FUNCTION, Calls.NoteRefusal.FUNCTION_BYTES);
        long number = words.word(Calls.NoteRefusal.ERROR);
        Errno errno = Arrays.stream(Errno.values())
                .filter(known -> known.number() == number)
                .findFirst()
                .orElse(Errno.EINVAL);
        report.refused()
                .errno(
                        function.isEmpty() ? Functions.name((int) words.word(Calls.NoteRefusal.SERVED)) : function,
                        new VerbsException(
                                errno, text(words, Calls.NoteRefusal.REASON, Calls.NoteRefusal.REASON_BYTES)));
    }

    private static String text(Block words, int address, int lengthBytes) {
        return AddressSpace.text(words.word(address), words.word(lengthBytes));
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
