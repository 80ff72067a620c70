// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import java.util.function.UnaryOperator;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareParameter;

// rules firmware-effect, firmware-queue-limits
/** Effect of each parameter on an adapter's profile. */
final class ParameterEffect {
    /** Modes of {@link FirmwareParameter#PCI_ATOMIC_MODE}. */
    private static final int PCI_OFF = 0;

    private static final int MASKED_OFF = 2;
    private static final int NOT_COHERENT = 3;

    /** Maximum that fits into the three bits of a queue pair context's log2. */
    private static final int MAX_READS_AND_ATOMICS = 128;

    private ParameterEffect() {}

    /** Returns the profile with that value in effect. */
    static Profile of(FirmwareParameter parameter, long value, Profile profile) {
        return switch (parameter) {
            case IBM_CAPI_EN -> profile.with(hostTables(profile.pagingSupport(), value != 0));
            case IBM_AS_NOTIFY_EN -> profile.with(platform(profile.platform(), Feature.AS_NOTIFY, value != 0));
            case IBM_TUNNELED_ATOMIC_EN ->
                profile.with(platform(profile.platform(), Feature.TUNNELED_ATOMIC, value != 0));
            case LOG_DCR_HASH_TABLE_SIZE -> responders(profile, now -> now.withLogHashTable((int) value));
            // The firmware counts from 0: its value is the highest number of a responder.
            case DCR_LIFO_SIZE -> responders(profile, now -> now.withResponders((int) value + 1));
            case PCI_ATOMIC_MODE -> profile.with(atomics(profile.atomics(), (int) value));
            case LOG_MAX_OUTSTANDING_READ_ATOMIC -> value == 0 ? profile : readsAndAtomics(profile, value);
            case LOG_MAX_OUTSTANDING_WQE -> value == 0 ? profile : profile.with(work(profile.queues(), value));
            case ADVANCED_PCI_SETTINGS, MEMIC_ATOMIC, MEMIC_ATOMIC_ENDIANESS -> profile;
        };
    }

    /** Returns the parameter value that corresponds to a profile. */
    static long in(Profile model, FirmwareParameter parameter) {
        return switch (parameter) {
            // Features that are on from the factory are not hidden.
            case ADVANCED_PCI_SETTINGS, IBM_CAPI_EN ->
                bit(model.pagingSupport().firmware().has(PagingCapabilities.Feature.HOST_TABLES));
            case IBM_AS_NOTIFY_EN -> bit(model.platform().has(Feature.AS_NOTIFY));
            case IBM_TUNNELED_ATOMIC_EN -> bit(model.platform().has(Feature.TUNNELED_ATOMIC));
            case LOG_DCR_HASH_TABLE_SIZE -> model.dynamicallyConnected().logHashTable();
            case DCR_LIFO_SIZE -> Math.max(0, model.dynamicallyConnected().responders() - 1L);
            case PCI_ATOMIC_MODE -> mode(model.atomics());
            case LOG_MAX_OUTSTANDING_READ_ATOMIC, LOG_MAX_OUTSTANDING_WQE, MEMIC_ATOMIC, MEMIC_ATOMIC_ENDIANESS -> 0;
        };
    }

    private static long bit(boolean on) {
        return on ? 1 : 0;
    }

    private static PagingSupport hostTables(PagingSupport now, boolean on) {
        PagingCapabilities firmware = now.firmware();
        return now.withFirmware(
                on
                        ? firmware.with(PagingCapabilities.Feature.HOST_TABLES)
                        : firmware.without(PagingCapabilities.Feature.HOST_TABLES));
    }

    private static PlatformCapabilities platform(PlatformCapabilities now, Feature feature, boolean on) {
        return on ? now.with(feature) : now.without(feature);
    }

    private static long mode(AtomicCapabilities atomics) {
        if (atomics.scope() != AtomicScope.GLOBAL) {
            return PCI_OFF;
        }
        return atomics.maskedSizes() == 0 ? MASKED_OFF : 4;
    }

    // rule firmware-pci-atomics
    /** Does not give atomics to an adapter without them. */
    private static AtomicCapabilities atomics(AtomicCapabilities now, int mode) {
        if (now.scope() == AtomicScope.NONE) {
            return now;
        }
        boolean forTheHost = mode != PCI_OFF && mode != NOT_COHERENT;
        AtomicCapabilities scoped = now.withScope(forTheHost ? AtomicScope.GLOBAL : AtomicScope.HCA);
        return mode == MASKED_OFF ? scoped.withMaskedSizes() : scoped;
    }

    /** Does not give DC to an adapter without it. */
    private static Profile responders(Profile profile, UnaryOperator<DcCapabilities> change) {
        DcCapabilities now = profile.dynamicallyConnected();
        return now.isSupported() ? profile.with(change.apply(now)) : profile;
    }

    private static Profile readsAndAtomics(Profile profile, long log) {
        int max = (int) Math.min(1L << log, MAX_READS_AND_ATOMICS);
        return responders(profile, now -> now.withMaxRdAtomic(max))
                .with(profile.queues().withMaxRdAtomic(max).withMaxDestRdAtomic(max));
    }

    private static QueueCapabilities work(QueueCapabilities now, long log) {
        return now.withMaxWr((int) Math.min(1L << log, now.maxWr()));
    }
}
