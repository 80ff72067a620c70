// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hcaactors.api.capability.DeviceIdentity;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.profile.ProfileValues.Group;

/** Numbers of an adapter's objects, its vendor and its versions, as values of a profile. */
final class ObjectValues {
    private static final Group<ObjectCapabilities> OBJECTS = new Group<>("objects", Profile::objects, Profile::with);

    private ObjectValues() {}

    static List<ProfileValue> list() {
        List<ProfileValue> all = new ArrayList<>(List.of(
                most("max-queue-pairs", ObjectCapabilities::maxQueuePairs, ObjectCapabilities::withMaxQueuePairs),
                most(
                        "max-completion-queues",
                        ObjectCapabilities::maxCompletionQueues,
                        ObjectCapabilities::withMaxCompletionQueues),
                most(
                        "max-shared-receive-queues",
                        ObjectCapabilities::maxSharedReceiveQueues,
                        ObjectCapabilities::withMaxSharedReceiveQueues),
                most("max-regions", ObjectCapabilities::maxRegions, ObjectCapabilities::withMaxRegions),
                most("max-domains", ObjectCapabilities::maxDomains, ObjectCapabilities::withMaxDomains),
                most(
                        "max-address-handles",
                        ObjectCapabilities::maxAddressHandles,
                        ObjectCapabilities::withMaxAddressHandles),
                most(
                        "max-multicast-groups",
                        ObjectCapabilities::maxMulticastGroups,
                        ObjectCapabilities::withMaxMulticastGroups),
                most("max-group-members", ObjectCapabilities::maxGroupMembers, ObjectCapabilities::withMaxGroupMembers),
                most("max-memberships", ObjectCapabilities::maxMemberships, ObjectCapabilities::withMaxMemberships)));
        all.addAll(identity());
        return List.copyOf(all);
    }

    private static ProfileValue most(
            String value,
            Function<ObjectCapabilities, Integer> read,
            BiFunction<ObjectCapabilities, Integer, ObjectCapabilities> write) {
        return OBJECTS.number(value, 0, Integer.MAX_VALUE, read, write);
    }

    private static List<ProfileValue> identity() {
        Group<DeviceIdentity> group = new Group<>("identity", Profile::identity, Profile::with);
        return List.of(
                group.number("vendor-id", 0, 0xFF_FFFF, DeviceIdentity::vendorId, DeviceIdentity::withVendorId),
                group.number(
                        "hardware-version",
                        0,
                        Integer.MAX_VALUE,
                        DeviceIdentity::hardwareVersion,
                        DeviceIdentity::withHardwareVersion),
                group.value(
                        "firmware-version",
                        new Notation<>("such as 16.31.1014 is allowed", Optional::of, version -> version),
                        DeviceIdentity::firmwareVersion,
                        DeviceIdentity::withFirmwareVersion));
    }
}
