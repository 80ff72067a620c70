// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.xrc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.xrc.XrcDomainDescription;
import org.hcaactors.mutation.MutationPoint;

/** The XRC domains that an adapter's host has open. Any thread. */
public final class XrcDomains {
    private final Map<String, SharedDomain> files = new LinkedHashMap<>();
    private int numbers;

    // rules xrc-domain-identity, xrc-domain-restart
    /**
     * VerbsException: EAGAIN where it has to be there and is not, EINVAL where it must not be there and is.
     *
     * @param inService throws where the adapter has started anew since its user opened it; asked while nobody else opens or forgets
     */
    @MutationPoint("xrc-domains.open")
    public synchronized SharedDomain open(XrcDomainDescription requested, Runnable inService) {
        inService.run();
        Optional<SharedDomain> there = requested.file().map(files::get);
        if (there.isPresent() && requested.creation() == XrcDomainDescription.Creation.ALWAYS) {
            throw VerbsException.invalid(requested + " is there already, and was to be made");
        }
        if (there.isEmpty() && requested.creation() == XrcDomainDescription.Creation.NEVER) {
            throw new VerbsException(Errno.EAGAIN, requested + " is not there");
        }
        SharedDomain domain = there.orElseGet(() -> made(requested.file()));
        domain.join();
        return domain;
    }

    private SharedDomain made(Optional<String> file) {
        SharedDomain domain = new SharedDomain(++numbers, file);
        file.ifPresent(name -> files.put(name, domain));
        return domain;
    }

    /** VerbsException (EBUSY) where the last who has it open would leave something in it. */
    public synchronized void close(SharedDomain domain) {
        if (domain.leave()) {
            domain.file().ifPresent(file -> files.remove(file, domain));
        }
    }

    /** The adapter starts anew: what is opened from now on is none of those. */
    public synchronized void forget() {
        files.clear();
    }
}
