// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/**
 * A checked path of an address handle, with its headers.
 *
 * @param domain number of the protection domain
 * @param port local port
 * @param sourceIndex GID table entry that is the packets' source
 */
public record DatagramPath(AddressVector vector, int domain, LocalPort port, int sourceIndex, Route route) {
    /** Creates the path; VerbsException (EINVAL) if the port has no such path. */
    public static DatagramPath of(AddressVector vector, int domain, LocalPort port) {
        return along(vector, checked(vector, port), domain, port);
    }

    /** Creates the path back to the sender of a packet, without checks: what the port can't route is lost. */
    static DatagramPath back(PortAddress peer, int sourceIndex, int domain, LocalPort port) {
        GlobalRoute path = GlobalRoute.to(new Gid(peer.high(), peer.low())).withSourceGidIndex(sourceIndex);
        return along(AddressVector.to(path), path, domain, port);
    }

    // rule dc-address
    /** Creates the path of a port to itself, for requests that send nothing. */
    public static DatagramPath toItself(int domain, LocalPort port) {
        GlobalRoute path = GlobalRoute.to(port.gid());
        return along(AddressVector.to(path), path, domain, port);
    }

    private static DatagramPath along(AddressVector vector, GlobalRoute path, int domain, LocalPort port) {
        Route route = Headers.route(port, path, path.flowLabel());
        return new DatagramPath(vector, domain, port, path.sourceGidIndex(), route);
    }

    // rule wire-one-ip-version
    /** Checks what RoCE demands of any path that a program names; VerbsException (EINVAL) if something is missing. */
    public static GlobalRoute checked(AddressVector vector, LocalPort port) {
        GlobalRoute path = vector.route()
                .orElseThrow(() -> VerbsException.invalid("the address vector has no global route; RoCE requires one"));
        if (vector.port() != 1) {
            throw VerbsException.invalid("port " + vector.port() + " does not exist; the adapter has only port 1");
        }
        Limits.within("traffic class", path.trafficClass(), 0, 255);
        Limits.within("hop limit", path.hopLimit(), 1, 255);
        Limits.within("flow label", path.flowLabel(), 0, 0xF_FFFF);
        Gid source = port.attributes().gid(path.sourceGidIndex());
        if (source.isIpv4() != path.destination().isIpv4()) {
            throw VerbsException.invalid("the path leads from " + source + " to " + path.destination()
                    + "; both must be IPv4 or both IPv6: choose another entry of the GID table");
        }
        return path;
    }
}
