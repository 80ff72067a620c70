// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.indirect;

import java.util.Optional;
import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.indirect.FilledIndirectKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.fabric.flow.Element;

/**
 * Blueprint of an indirect key.
 *
 * @param process name of its process
 * @param domain number of its protection domain
 * @param max number of indirect keys of the adapter
 * @param maxEntries number of entries of its layout
 */
public record IndirectKeyBlueprint(String process, int domain, int max, int maxEntries, boolean remotelyInvalidable)
        implements KeyBlueprint<IndirectKey> {
    // rule indirect-limits
    /**
     * @throws VerbsException EOPNOTSUPP if the profile has no indirect keys, EINVAL if the number of entries is 0 or too large
     */
    public static IndirectKeyBlueprint of(
            IndirectKeyDescription requested, Profile profile, String process, int domain) {
        int entries = entries(requested.maxEntries(), profile);
        return new IndirectKeyBlueprint(
                process, domain, profile.indirectKeys().maxKeys(), entries, requested.remoteInvalidation());
    }

    /** Returns the requested number; throws as above. */
    static int entries(int requested, Profile profile) {
        IndirectKeyCapabilities max = profile.indirectKeys();
        if (!max.isSupported()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no indirect keys");
        }
        return Limits.within("maxEntries", requested, 1, max.maxEntries());
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.INDIRECT_KEY;
    }

    @Override
    public TranslatedKey translatedKey(int key) {
        return FilledIndirectKey.empty(key, domain, maxEntries, remotelyInvalidable);
    }

    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        return Optional.of(InlineCopyFailed.Addresses.INDIRECT);
    }

    @Override
    public void announce(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> HcaEvent.Registered.ofNothing(
                            at, services.adapter(), Element.key(key), HcaEvent.KeyKind.INDIRECT_KEY, process, domain));
        }
    }

    @Override
    public IndirectKey handle(int key, KeyOwner owner) {
        return new IndirectKeyHandle(key, maxEntries, owner);
    }
}
