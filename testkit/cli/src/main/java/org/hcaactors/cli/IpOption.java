// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.net.InetAddress;
import org.hcaactors.api.address.Gid;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of an IP address; no name is looked up. */
final class IpOption implements ITypeConverter<InetAddress> {
    @Override
    public InetAddress convert(String text) {
        if (!Gid.isAddress(text)) {
            throw new TypeConversionException("'" + text + "' is no IP address; such as 127.0.0.2 is allowed");
        }
        try {
            return Gid.parse(text).toInetAddress();
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException("'" + text + "' is no IP address; such as 127.0.0.2 is allowed");
        }
    }
}
