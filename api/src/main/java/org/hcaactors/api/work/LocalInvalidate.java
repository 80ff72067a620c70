// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LOCAL_INV: invalidates a key. When it completes, no packet and no request uses the key.
 *
 * <p>Completes with LOC_QP_OP_ERR for a key that cannot be invalidated, and MW_BIND_ERR for one that belongs to another queue
 * pair.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class LocalInvalidate implements KeyWork {
    private final long id;
    private final int key;
    private final SendFlags flags;

    private LocalInvalidate(long id, int key, SendFlags flags) {
        this.id = id;
        this.key = key;
        this.flags = flags;
    }

    public static LocalInvalidate of(long id, int key) {
        return new LocalInvalidate(id, key, SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int key() {
        return key;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public LocalInvalidate withFlags(SendFlags other) {
        return new LocalInvalidate(id, key, other);
    }

    public LocalInvalidate withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public LocalInvalidate withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LocalInvalidate same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "LocalInvalidate" + values();
    }

    private List<Object> values() {
        return List.of(id, key, flags);
    }
}
