// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.host.HostBytes;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.mutation.MutationPoint;

/**
 * The key of a memory region.
 *
 * @param domain number of its protection domain
 * @param address where the range begins under the key
 * @param lengthBytes of the range
 * @param rights what the key allows
 * @param memory what is behind the range
 * @param shift from an address under the key to that of the byte in the process
 * @param windows which of them can be bound
 */
public record Region(
        int key,
        int domain,
        long address,
        long lengthBytes,
        AccessFlags rights,
        HostBytes memory,
        long shift,
        Windows windows)
        implements TranslatedKey {
    /** Which windows can be bound to a region that allows MW_BIND. */
    public enum Windows {
        INSIDE,

        /** What is outside is refused at use. */
        ANYWHERE,

        NONE
    }

    /** Addresses are those of the process. */
    public Region(int key, int domain, long address, long lengthBytes, AccessFlags rights, HostBytes memory) {
        this(key, domain, address, lengthBytes, rights, memory, 0, Windows.INSIDE);
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parts) {
        return new RegionLease(grant, this, origin);
    }

    /** Its addresses count from its first byte; those of a region that begins at the process's own address 0 don't. */
    public static boolean isZeroBased(long address, long shift) {
        return address == 0 && shift != 0;
    }

    /** The whole of the range lies in the region. */
    @MutationPoint("region.covers")
    boolean covers(long from, long count) {
        long offset = from - address;
        return offset >= 0 && count >= 0 && offset <= lengthBytes && count <= lengthBytes - offset;
    }

    // rule memory-reregister
    @Override
    @MutationPoint("region.after")
    public Step after(KeyChange change) {
        return change instanceof KeyChange.Reregister anew
                ? new Step.Becomes(anew.next())
                : new Step.Refused(new Denial.UnsupportedChange());
    }

    // rule memory-window-fits
    @Override
    public Optional<Denial> refusal(ParentKey.Hold requested) {
        if (windows == Windows.NONE) {
            return Optional.of(new Denial.NotBindable());
        }
        if (domain != requested.domain()) {
            return Optional.of(new Denial.ForeignDomain(domain, requested.domain()));
        }
        if (isZeroBased(address, shift)) {
            return Optional.of(new Denial.ZeroBased());
        }
        return missing(requested.rights())
                .<Denial>map(Denial.MissingRight::new)
                .or(() -> outside(requested.address(), requested.lengthBytes()));
    }

    /** Other rights from afar a window has for itself: REMOTE_READ needs none of the region. */
    private Optional<Access> missing(AccessFlags requested) {
        if (!rights.allows(Access.MW_BIND)) {
            return Optional.of(Access.MW_BIND);
        }
        return requested.allowsRemoteWrite() && !rights.allows(Access.LOCAL_WRITE)
                ? Optional.of(Access.LOCAL_WRITE)
                : Optional.empty();
    }

    private Optional<Denial> outside(long from, long count) {
        return windows == Windows.ANYWHERE || covers(from, count)
                ? Optional.empty()
                : Optional.of(new Denial.OutOfRange(address, lengthBytes, from, count));
    }

    @Override
    public HcaEvent news(Stamp at, String port, int before) {
        return new HcaEvent.Reregistered(at, port, Element.key(key), domain, address, lengthBytes, rights, shift);
    }
}
