package org.hcaactors.api.device;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;

/** A process of a modelled host: an address space, and the handles it opens. */
public interface HostProcess {
    String name();

    /** Places a direct buffer into the address space; IllegalArgumentException if it is not direct. */
    HostMemory map(ByteBuffer direct);

    /** Places fresh zeroed memory into the address space, in direct buffers of at most 1 GiB each. */
    HostMemory allocate(long lengthBytes);

    /** The process ends: everything that it left open is closed in order. The report names what that was. */
    CompletionStage<LeakReport> exit();

    /** Opens the adapter ({@code ibv_open_device}); VerbsException (EINVAL) while the process ends or on a closed network. */
    DeviceContext open();
}
