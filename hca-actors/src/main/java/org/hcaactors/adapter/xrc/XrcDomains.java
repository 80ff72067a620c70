// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.xrc.XrcDomainDescription;

/** The XRC domains that an adapter's host has open. Any thread. */
public final class XrcDomains {
    private final Map<String, SharedDomain> files = new LinkedHashMap<>();
    private int numbers;

    // rule xrc-domain-identity
    /** VerbsException: EAGAIN where it has to be there and is not, EINVAL where it must not be there and is. */
    public synchronized SharedDomain open(XrcDomainDescription wanted) {
        Optional<SharedDomain> there = wanted.file().map(files::get).filter(domain -> mayJoin(domain, wanted));
        if (there.isPresent()) {
            return there.get();
        }
        if (wanted.creation() == XrcDomainDescription.Creation.NEVER) {
            throw new VerbsException(Errno.EAGAIN, wanted + " is not there");
        }
        SharedDomain made = new SharedDomain(++numbers, wanted.file());
        wanted.file().ifPresent(file -> files.put(file, made));
        return made;
    }

    private static boolean mayJoin(SharedDomain domain, XrcDomainDescription wanted) {
        if (wanted.creation() == XrcDomainDescription.Creation.ALWAYS) {
            throw VerbsException.invalid(wanted + " is there already, and was to be made");
        }
        return domain.join();
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
