// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.cli.between.BetweenAddresses;
import org.hcaactors.cli.gateway.Exchange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a gateway between two hosts. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class BetweenOptions {
    private static final int SIDES = 2;

    @Option(
            names = "--between",
            paramLabel = "IP",
            arity = "2",
            converter = IpOption.class,
            description = "stand between these two hosts, A and B, in place of a service")
    private @Nullable List<InetAddress> hosts;

    @Option(
            names = "--forward",
            paramLabel = "PORT",
            description =
                    "with --between pass on TCP connections to this port in both directions, with other GIDs in the"
                            + " texts of the classic tools; repeatable (default: 18515)")
    @AllowedRange(min = 1, max = 65_535)
    private @Nullable List<Integer> forwards;

    boolean areUsed() {
        return hosts != null;
    }

    boolean hasForwards() {
        return forwards != null;
    }

    List<Integer> forwards() {
        return forwards == null ? List.of(Exchange.DEFAULT_PORT) : List.copyOf(forwards);
    }

    /**
     * Checks the addresses.
     *
     * @param local those of {@code --local}
     */
    BetweenAddresses addresses(Checks check, List<InetAddress> local, CableOptions cable) {
        List<InetAddress> both = hosts == null ? List.of() : hosts;
        check.that(
                both.size() == SIDES && local.size() == SIDES,
                "--between requires two hosts, and two addresses of --local: the one that host A takes for that of B,"
                        + " and the one that B takes for that of A");
        List<InetAddress> all = Stream.concat(both.stream(), local.stream()).toList();
        all.forEach(each -> check.that(
                each instanceof Inet4Address, each.getHostAddress() + " is an address of IPv6; only IPv4 is allowed"));
        check.that(
                all.stream().distinct().count() == all.size(),
                "an address is named twice by --between and --local; four are required");
        check.that(cable.isUdp(), "omit --between or --cable: only a cable of UDP is allowed between two hosts");
        cable.checkTrusted(check, all.stream());
        return new BetweenAddresses(all.get(0), all.get(1), all.get(2), all.get(3));
    }
}
