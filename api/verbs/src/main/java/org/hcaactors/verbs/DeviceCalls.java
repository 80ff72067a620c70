// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Calls for the device, which is the only one of the process, and its port. Any thread; opening and closing wait. */
final class DeviceCalls {
    private static final int DEVICES = 1;
    private static final String DEVICE_NAME = "hca0";

    private final Session session;

    DeviceCalls(Session session) {
        this.session = session;
    }

    void count(Block words) {
        words.put(Calls.CountDevices.COUNT, DEVICES);
    }

    void describe(Block words) {
        checkDevice(words.word(Calls.DescribeDevice.DEVICE));
        words.putText(Calls.DescribeDevice.NAME, Calls.DescribeDevice.GUID, DEVICE_NAME);
        words.put(Calls.DescribeDevice.GUID, adapter().nodeGuid());
        words.put(Calls.DescribeDevice.NODE_TYPE, Calls.NodeType.CA);
        words.put(Calls.DescribeDevice.TRANSPORT_TYPE, Calls.TransportType.IB);
        words.put(
                Calls.DescribeDevice.MAX_DM_SIZE,
                DeviceWords.maxDeviceMemory(adapter().profile()));
    }

    private static void checkDevice(long index) {
        if (index < 0 || index >= DEVICES) {
            throw new VerbsException(Errno.ENOENT, "there is no device " + index + "; only 0 is allowed");
        }
    }

    private Adapter adapter() {
        return session.served().adapter();
    }

    void open(Block words) {
        checkDevice(words.word(Calls.OpenDevice.DEVICE));
        OpenedDevice device = new OpenedDevice(
                session.served().process().open(), words.word(Calls.OpenDevice.COOKIE), session.events());
        session.add(words, Calls.OpenDevice.CONTEXT, device);
        words.put(
                Calls.OpenDevice.COMPLETION_VECTORS,
                adapter().profile().completions().vectors());
    }

    void close(Block words) {
        OpenedDevice device = session.get(words, Calls.CloseDevice.CONTEXT, OpenedDevice.class);
        session.await(device.context().closeAsync());
        session.handles().removeIf(object -> object instanceof Opened opened && opened.device() == device);
    }

    void query(Block words) {
        checkDevice(words.word(Calls.QueryDevice.DEVICE));
        words.clear(Calls.QueryDevice.FIRMWARE, Calls.QueryDevice.WORDS);
        DeviceWords.device(words, adapter());
    }

    void queryPort(Block words) {
        checkDevice(words.word(Calls.QueryPort.DEVICE));
        adapter().port(words.number(Calls.QueryPort.PORT));
        words.clear(Calls.QueryPort.STATE, Calls.QueryPort.WORDS);
        DeviceWords.port(words, adapter());
    }

    void queryGid(Block words) {
        checkDevice(words.word(Calls.QueryGid.DEVICE));
        PortAttributes port = adapter().port(words.number(Calls.QueryGid.PORT));
        long index = words.word(Calls.QueryGid.INDEX);
        if (index < 0 || index >= port.gidTableLength()) {
            throw VerbsException.invalid(
                    "the GID index is " + index + "; 0 to " + (port.gidTableLength() - 1) + " is allowed");
        }
        Gid gid = index < port.gidTable().size() ? port.gidTable().get((int) index) : new Gid(0, 0);
        words.put(Calls.QueryGid.GID_HIGH, gid.high());
        words.put(Calls.QueryGid.GID_LOW, gid.low());
        words.put(Calls.QueryGid.TYPE, Calls.GidType.ROCE_V2);
        words.put(Calls.QueryGid.PRESENT, (gid.high() | gid.low()) != 0);
        words.put(Calls.QueryGid.NET_DEVICE, 0);
    }

    void queryPkey(Block words) {
        checkDevice(words.word(Calls.QueryPkey.DEVICE));
        PortAttributes port = adapter().port(words.number(Calls.QueryPkey.PORT));
        words.put(Calls.QueryPkey.PKEY, port.pkey(words.number(Calls.QueryPkey.INDEX)));
    }

    void queryClock(Block words) {
        OpenedDevice device = session.get(words, Calls.QueryClock.CONTEXT, OpenedDevice.class);
        words.put(Calls.QueryClock.TICKS, device.context().clockTicks());
    }

    void resolveMac(Block words) {
        session.get(words, Calls.ResolveMac.CONTEXT, OpenedDevice.class);
        throw new VerbsException(Errno.ENOENT, "no MAC addresses are known: the cable carries UDP");
    }
}
