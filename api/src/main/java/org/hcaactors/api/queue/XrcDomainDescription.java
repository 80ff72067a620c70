// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.Optional;

/**
 * Description of an XRC domain to open ({@code struct ibv_xrcd_init_attr}).
 *
 * <p>Immutable.
 */
public final class XrcDomainDescription {
    /** Whether a domain is created. These are all that there are. */
    public enum Creation {
        /** It must exist. */
        NEVER,
        /** It is created if it does not exist ({@code O_CREAT}). */
        IF_ABSENT,
        /** It must not exist ({@code O_CREAT | O_EXCL}). */
        ALWAYS
    }

    private final Optional<String> file;
    private final Creation creation;

    private XrcDomainDescription(Optional<String> file, Creation creation) {
        this.file = file;
        this.creation = creation;
    }

    /** A domain that no other process can open. */
    public static XrcDomainDescription unnamed() {
        return new XrcDomainDescription(Optional.empty(), Creation.ALWAYS);
    }

    /**
     * The domain of a file of the host, created if it does not exist. Only the name is used: no file is accessed.
     *
     * @param file equal names are the same file
     */
    public static XrcDomainDescription of(String file) {
        return new XrcDomainDescription(Optional.of(Objects.requireNonNull(file, "file")), Creation.IF_ABSENT);
    }

    /** Sets when the domain is created; a domain without a file is always created. */
    public XrcDomainDescription withCreation(Creation when) {
        return new XrcDomainDescription(file, file.isPresent() ? when : Creation.ALWAYS);
    }

    /** File name; empty for a domain that no other process can open. */
    public Optional<String> file() {
        return file;
    }

    public Creation creation() {
        return creation;
    }

    @Override
    public String toString() {
        return file.map(name -> "the XRC domain of " + name).orElse("an XRC domain without a file");
    }
}
