// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.host.SharedMemory;
import org.hcaactors.adapter.host.SharedMemory.Offer;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.mutation.MutationPoint;

// rule memory-shared
/** Sharing of a region's memory between the processes of a host: by its creator, or by a process that registers it. */
public final class RegionSharing {
    private final SharedMemory host;
    private final Offer offer;
    private final Credentials credentials;
    private final boolean isMaker;
    private int number;

    private RegionSharing(SharedMemory host, Offer offer, Credentials credentials, boolean isMaker) {
        this.host = host;
        this.offer = offer;
        this.credentials = credentials;
        this.isMaker = isMaker;
    }

    public static RegionSharing byMaker(SharedMemory host, Offer offer) {
        return new RegionSharing(host, offer, offer.owner(), true);
    }

    public static RegionSharing with(Credentials credentials, SharedMemory host, Offer offer) {
        return new RegionSharing(host, offer, credentials, false);
    }

    /** The creator has all rights. VerbsException (EACCES) if the permissions don't allow these rights to another process. */
    @MutationPoint("region-sharing.check")
    public void check(AccessFlags rights) {
        if (isMaker) {
            return;
        }
        boolean writes = rights.allows(Access.LOCAL_WRITE);
        if (!offer.lets(credentials, false) || writes && !offer.lets(credentials, true)) {
            throw new VerbsException(
                    Errno.EACCES,
                    (writes ? "reading and writing" : "reading") + " the shared memory is not allowed for "
                            + credentials + "; its owner, " + offer.owner() + ", allows " + offer.permissions());
        }
    }

    synchronized void begin(int region) {
        number = region;
        if (isMaker) {
            host.offer(region, offer);
        }
    }

    synchronized void end() {
        if (isMaker) {
            host.withdraw(number);
        }
    }
}
