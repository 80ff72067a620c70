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
 * @param address first address under the key
 * @param lengthBytes length of the range
 * @param rights rights of the key
 * @param memory the memory behind the range
 * @param shift offset from an address under the key to the address in the process
 * @param windows the windows that can be bound
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
    /** The windows that can be bound to a region with MW_BIND. */
    public enum Windows {
        INSIDE,

        /** Accesses outside of the region are refused at use. */
        ANYWHERE,

        NONE
    }

    /** Creates a region whose addresses are those of the process. */
    public Region(int key, int domain, long address, long lengthBytes, AccessFlags rights, HostBytes memory) {
        this(key, domain, address, lengthBytes, rights, memory, 0, Windows.INSIDE);
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new RegionLease(grant, this, origin);
    }

    /** True if addresses count from the first byte; false for a region at the process's own address 0. */
    public static boolean isZeroBased(long address, long shift) {
        return address == 0 && shift != 0;
    }

    /** True if the whole range lies in the region. */
    @MutationPoint("region.covers")
    boolean covers(long from, long count) {
        long offset = from - address;
        return offset >= 0 && count >= 0 && offset <= lengthBytes && count <= lengthBytes - offset;
    }

    // rule memory-reregister
    @Override
    @MutationPoint("region.after")
    public ChangeResult apply(KeyChange change) {
        return change instanceof KeyChange.Reregister reregister
                ? new ChangeResult.Becomes(reregister.next())
                : new ChangeResult.Refused(new Denial.UnsupportedChange());
    }

    // rule memory-window-fits
    @Override
    public Optional<Denial> holdDenial(ParentKey.Hold requested) {
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

    /** Returns the right that the region lacks. REMOTE_READ of a window requires none of the region's remote rights. */
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
    public HcaEvent changeEvent(Stamp at, String port, int before) {
        return new HcaEvent.Reregistered(at, port, Element.key(key), domain, address, lengthBytes, rights, shift);
    }
}
