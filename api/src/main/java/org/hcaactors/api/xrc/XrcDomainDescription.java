// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.xrc;

import java.util.Objects;
import java.util.Optional;

/**
 * Which XRC domain is opened, and whether it may be there ({@code struct ibv_xrcd_init_attr}).
 *
 * <p>Immutable.
 */
public final class XrcDomainDescription {
    /** Whether a domain is made. These are all that there are. */
    public enum Creation {
        /** It has to be there. */
        NEVER,
        /** Where it is not there ({@code O_CREAT}). */
        IF_ABSENT,
        /** It must not be there ({@code O_CREAT | O_EXCL}). */
        ALWAYS
    }

    private final Optional<String> file;
    private final Creation creation;

    private XrcDomainDescription(Optional<String> file, Creation creation) {
        this.file = file;
        this.creation = creation;
    }

    /** One that nobody else can open. */
    public static XrcDomainDescription unnamed() {
        return new XrcDomainDescription(Optional.empty(), Creation.ALWAYS);
    }

    /**
     * That of a file of the host, made where it is not there. Only the name counts: no file is touched.
     *
     * @param file the same name is the same file
     */
    public static XrcDomainDescription of(String file) {
        return new XrcDomainDescription(Optional.of(Objects.requireNonNull(file, "file")), Creation.IF_ABSENT);
    }

    /** The same, made only so; one of its own is always made. */
    public XrcDomainDescription withCreation(Creation when) {
        return new XrcDomainDescription(file, file.isPresent() ? when : Creation.ALWAYS);
    }

    /** Empty for one that nobody else can open. */
    public Optional<String> file() {
        return file;
    }

    public Creation creation() {
        return creation;
    }

    @Override
    public String toString() {
        return file.map(name -> "the XRC domain of " + name).orElse("an XRC domain of its own");
    }
}
