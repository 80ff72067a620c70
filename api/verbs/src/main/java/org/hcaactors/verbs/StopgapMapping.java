// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.MemorySegment;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.Registration;

/** Maps pages of the program under addresses of the model, until a process can have the program's own. */
final class StopgapMapping {
    private static final long PAGE = 4096;

    private StopgapMapping() {}

    static HostMemory map(HostProcess process, long address, long lengthBytes) {
        long before = address & PAGE - 1;
        return process.map(MemorySegment.ofAddress(address - before)
                .reinterpret(before + lengthBytes)
                .asByteBuffer());
    }

    static Registration registration(HostMemory memory, long address, long lengthBytes) {
        return Registration.of(memory).withRange(address & PAGE - 1, lengthBytes);
    }
}
