// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;

/**
 * A modelled device of the command line.
 *
 * @param name its name for verbs
 * @param slot its name for firmware tools, and the name of the file with its settings
 */
record Device(String name, String slot, Profile profile) {
    private static final String TOOLS = "/dev/mst/";

    static final List<Device> ALL = List.of(
            of("mlx5_0", Profile.CONNECTX_5),
            of("mlx5_1", Profile.CONNECTX_6),
            of("mlx5_2", Profile.CONNECTX_5_IBM),
            of("mlx5_3", Profile.CONNECTX_4),
            of("mlx5_4", Profile.CONNECT_IB),
            new Device("rxe0", "rxe0", Profile.SOFT_ROCE),
            new Device("no_atomics0", "no_atomics0", Profile.NO_ATOMICS),
            new Device("tiny0", "tiny0", Profile.TINY),
            of("mlx4_0", Profile.CONNECTX_3));

    private static Device of(String name, Profile profile) {
        return new Device(name, "mt" + profile.vendorPartId() + "_pciconf0", profile);
    }

    /**
     * Returns the device by either of its names, or by the name of its profile.
     *
     * @throws BadInputException if there is no such device
     */
    static Device named(String requested) throws BadInputException {
        String plain = requested.startsWith(TOOLS) ? requested.substring(TOOLS.length()) : requested;
        return ALL.stream()
                .filter(device -> Stream.of(device.name, device.slot).anyMatch(plain::equals)
                        || Profile.find(plain).filter(device.profile::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> new BadInputException("unknown device " + requested + "; there are "
                        + ALL.stream().map(Device::name).toList() + ", by their slots "
                        + ALL.stream().map(Device::slot).toList()
                        + DidYouMean.hint(plain, ALL.stream().flatMap(device -> Stream.of(device.name, device.slot)))));
    }
}
