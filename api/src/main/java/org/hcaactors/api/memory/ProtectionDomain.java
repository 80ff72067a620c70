package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.queue.RcBuilder;

/** Ties regions and queue pairs together: a queue pair can use only keys of its own domain ({@code ibv_pd}). */
public interface ProtectionDomain {
    DeviceContext context();

    /** Registers all of {@code memory} ({@code ibv_reg_mr}); EINVAL if a remote change is allowed without LOCAL_WRITE. */
    CompletionStage<MemoryRegion> register(HostMemory memory, Access... rights);

    /** Registers a part of {@code memory}; EINVAL if the range leaves it or is empty. */
    CompletionStage<MemoryRegion> register(HostMemory memory, long offset, long lengthBytes, AccessFlags rights);

    /** Starts the description of a reliable connected queue pair. */
    RcBuilder rc();
}
