// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.Arrays;
import org.hcaactors.api.address.PathMtu;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of a path MTU in bytes. */
final class MtuOption implements ITypeConverter<PathMtu> {
    @Override
    public PathMtu convert(String text) {
        return Arrays.stream(PathMtu.values())
                .filter(known -> text.equals(Integer.toString(known.bytes())))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is no MTU; 256, 512, 1024, 2048 and 4096 are allowed"));
    }
}
