// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.Optional;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;

/** Calls for address handles and XRC domains. Any thread; waits. */
final class AddressCalls {
    /** Maximum length of the name of a file, as {@code PATH_MAX}. */
    private static final int MAX_PATH_BYTES = 4096;

    /** An address handle of the program ({@code ibv_ah}). */
    record Path(OpenedDevice device, AddressHandle handle) implements Opened {}

    /** An XRC domain of the program ({@code ibv_xrcd}). */
    record Xrc(OpenedDevice device, XrcDomain domain) implements Opened {}

    private final Session session;

    AddressCalls(Session session) {
        this.session = session;
    }

    void createHandle(Block words) {
        MemoryCalls.Domain domain = session.get(words, Calls.CreateAh.PD, MemoryCalls.Domain.class);
        AddressHandle handle =
                session.await(domain.domain().createAddressHandle(PathWords.read(words.from(Calls.CreateAh.PATH))));
        session.add(words, Calls.CreateAh.AH, new Path(domain.device(), handle));
    }

    void destroyHandle(Block words) {
        session.await(
                session.get(words, Calls.DestroyAh.AH, Path.class).handle().destroy());
        session.remove(words, Calls.DestroyAh.AH);
    }

    void openXrc(Block words) {
        OpenedDevice device = session.get(words, Calls.OpenXrcd.CONTEXT, OpenedDevice.class);
        XrcDomain domain = session.await(device.context().openXrcDomain(description(words)));
        session.add(words, Calls.OpenXrcd.XRCD, new Xrc(device, domain));
    }

    private static XrcDomainDescription description(Block words) {
        return file(words)
                .map(file -> XrcDomainDescription.of(file).withCreation(creation(words.number(Calls.OpenXrcd.CREATE))))
                .orElseGet(XrcDomainDescription::unnamed);
    }

    private static Optional<String> file(Block words) {
        long lengthBytes = words.word(Calls.OpenXrcd.FILE_BYTES);
        if (lengthBytes < 0 || lengthBytes > MAX_PATH_BYTES) {
            throw VerbsException.invalid(
                    "the name of the file has " + lengthBytes + " bytes; 0 to " + MAX_PATH_BYTES + " is allowed");
        }
        return lengthBytes == 0
                ? Optional.empty()
                : Optional.of(AddressSpace.text(words.word(Calls.OpenXrcd.FILE), lengthBytes));
    }

    private static XrcDomainDescription.Creation creation(int code) {
        return switch (code) {
            case Calls.XrcCreate.OPEN -> XrcDomainDescription.Creation.NEVER;
            case Calls.XrcCreate.CREATE -> XrcDomainDescription.Creation.IF_ABSENT;
            case Calls.XrcCreate.CREATE_NEW -> XrcDomainDescription.Creation.ALWAYS;
            default -> throw VerbsException.invalid("the creation is " + code + "; 0 to 2 is allowed");
        };
    }

    void closeXrc(Block words) {
        session.await(
                session.get(words, Calls.CloseXrcd.XRCD, Xrc.class).domain().closeAsync());
        session.remove(words, Calls.CloseXrcd.XRCD);
    }
}
