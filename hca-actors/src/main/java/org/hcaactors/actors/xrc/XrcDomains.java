// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.xrc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.mutation.MutationPoint;

/** XRC domains that are open on an adapter's host. Any thread. */
public final class XrcDomains {
    private final Map<String, SharedDomain> files = new LinkedHashMap<>();
    private int numbers;

    // rules xrc-domain-identity, xrc-domain-restart
    /**
     * Opens or creates a domain.
     *
     * @param inService throws if the adapter has restarted since its context was opened; called in the monitor, so that no
     *     other thread opens or forgets domains
     * @throws VerbsException EAGAIN if it must exist and does not; EINVAL if it must not exist and does
     */
    @MutationPoint("xrc-domains.open")
    public synchronized SharedDomain open(XrcDomainDescription requested, Runnable inService) {
        inService.run();
        Optional<SharedDomain> existing = requested.file().map(files::get);
        if (existing.isPresent() && requested.creation() == XrcDomainDescription.Creation.ALWAYS) {
            throw VerbsException.invalid(requested + " exists already; Creation.ALWAYS requires a new one");
        }
        if (existing.isEmpty() && requested.creation() == XrcDomainDescription.Creation.NEVER) {
            throw new VerbsException(Errno.EAGAIN, requested + " does not exist; Creation.NEVER does not create it");
        }
        SharedDomain domain = existing.orElseGet(() -> made(requested.file()));
        domain.join();
        return domain;
    }

    private SharedDomain made(Optional<String> file) {
        SharedDomain domain = new SharedDomain(++numbers, file);
        file.ifPresent(name -> files.put(name, domain));
        return domain;
    }

    /** @throws VerbsException EBUSY if the last reference would leave objects in the domain */
    public synchronized void close(SharedDomain domain) {
        if (domain.leave()) {
            domain.file().ifPresent(file -> files.remove(file, domain));
        }
    }

    /** Called when the adapter restarts: domains opened from now on are new ones. */
    public synchronized void forget() {
        files.clear();
    }
}
