// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import org.hcaactors.lab.nodes.HostPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of a node's address, HOST:PORT. */
final class AddressOption implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String text) {
        try {
            return HostPort.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }
}
