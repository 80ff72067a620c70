// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.fabric.flow.Element;

/** Blueprint of a memory region. */
public final class RegionBlueprint implements KeyBlueprint<MemoryRegion> {
    private final RegionAttributes attributes;
    private final RegionOwner region;

    RegionBlueprint(RegionAttributes attributes, RegionOwner region) {
        this.attributes = attributes;
        this.region = region;
    }

    /**
     * Creates a blueprint; the memory is pinned from here on.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if the range is outside the memory, the address is impossible, or
     *     the access rights are inconsistent
     */
    public static RegionBlueprint of(Registration requested, int domain, RegionOwner owner) {
        return new RegionBlueprint(RegionAttributes.of(requested, domain, owner), owner);
    }

    /**
     * Creates a blueprint of a region that another process shares under that number; the memory is mapped from here on.
     *
     * @throws org.hcaactors.api.error.VerbsException if sharing is not allowed
     */
    public static RegionBlueprint shared(int number, AccessFlags rights, int domain, RegionOwner owner) {
        return new RegionBlueprint(RegionAttributes.shared(number, rights, domain, owner), owner);
    }

    /**
     * Creates a blueprint of a null region.
     *
     * @throws org.hcaactors.api.error.VerbsException EOPNOTSUPP if the adapter has no such regions
     */
    public static RegionBlueprint ofNullRegion(int domain, RegionOwner owner) {
        return new RegionBlueprint(RegionAttributes.ofNullRegion(domain, owner), owner);
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.REGION;
    }

    // rule event-object-limits
    @Override
    public int max() {
        return region.profile().objects().maxRegions();
    }

    @Override
    public TranslatedKey translatedKey(int key) {
        return attributes.translatedKey(key);
    }

    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        return attributes.backing().addresses();
    }

    @Override
    public void announce(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (trace.enabled()) {
            RegionBacking backing = attributes.backing();
            trace.record(
                    0,
                    at -> new HcaEvent.Registered(
                            at,
                            services.adapter(),
                            Element.key(key),
                            backing.kind(),
                            List.of(),
                            region.processName(),
                            attributes.domain(),
                            backing.address(),
                            backing.lengthBytes(),
                            attributes.rights(),
                            backing.shift()));
            attributes.announcePages(key, services);
        }
    }

    @Override
    public MemoryRegion handle(int key, KeyOwner owner) {
        return new RegionHandle(key, attributes, region);
    }

    /** Completes when the pager has counted the region (rule paging-gauges). */
    public static CompletionStage<MemoryRegion> counted(CompletionStage<MemoryRegion> registered) {
        return registered.thenCompose(region ->
                region instanceof RegionHandle own ? own.counted() : CompletableFuture.completedStage(region));
    }

    @Override
    public void refused() {
        attributes.backing().release();
    }
}
