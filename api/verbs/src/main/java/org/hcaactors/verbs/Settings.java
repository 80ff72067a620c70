// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Profile;

/**
 * Settings of the adapter of a program, from environment variables.
 *
 * @param profile model of the adapter
 * @param name of the program in traces and in plans of faults
 * @param seed of random numbers; empty: drawn
 * @param slower factor by which the adapter's clock is slower than the system's
 * @param network how others are reached
 * @param disturbances what goes wrong on purpose
 * @param report folder where the run is written at the end
 * @param explains true if refused calls are explained on standard error
 */
record Settings(
        Profile profile,
        String name,
        OptionalLong seed,
        int slower,
        Network network,
        Disturbances disturbances,
        Optional<Path> report,
        boolean explains) {
    /** Maximum factor of the clock. */
    static final int MAX_SLOWER = 1000;

    /** First and last host of 127.0.0.0/24 that programs have if nothing is set. */
    static final int FIRST_HOST = 2;

    static final int LAST_HOST = 17;

    /** Factor of the clock if nothing is set: a JVM that has just started answers more slowly than timers of adapters allow. */
    private static final int DEFAULT_SLOWER = 8;

    private static final String DEFAULT_NAME = "hca";
    private static final String ON = "on";
    private static final String OFF = "off";

    /**
     * Addresses of the adapter and of others.
     *
     * @param connected false: the adapter has no cable
     * @param address of the adapter; empty: the first one that is free
     * @param peers names of the peers by their addresses
     * @param beyondLoopback true if other addresses than those of loopback are allowed, all of whose hosts are trusted
     */
    record Network(
            boolean connected, Optional<InetAddress> address, Map<InetAddress, String> peers, boolean beyondLoopback) {
        Network {
            if (!beyondLoopback) {
                address.ifPresent(Network::checkLoopback);
                peers.keySet().forEach(Network::checkLoopback);
            }
        }

        private static void checkLoopback(InetAddress address) {
            if (!address.isLoopbackAddress()) {
                throw new IllegalArgumentException(
                        address.getHostAddress() + " is no loopback address, and RoCEv2 trusts"
                                + " every host that can send with the address of a peer; HCA_VERBS_BEYOND_LOOPBACK=on allows it");
            }
        }
    }

    /**
     * Faults and refusals on purpose.
     *
     * @param faults file with a plan of faults on packets
     */
    record Disturbances(Optional<Path> faults, RefusalPlan refusals) {}

    /**
     * Reads the settings.
     *
     * @param refusable functions that may be refused
     * @throws IllegalArgumentException naming the variable, its value and what is allowed
     */
    static Settings of(Map<String, String> variables, Set<String> refusable) {
        return new Reader(variables).read(refusable);
    }

    private record Reader(Map<String, String> variables) {
        Settings read(Set<String> refusable) {
            return new Settings(
                    value("PROFILE", Reader::profile).orElse(Profile.CONNECTX_6),
                    value("NAME", Reader::name).orElse(DEFAULT_NAME),
                    value("SEED", Reader::seed).map(OptionalLong::of).orElse(OptionalLong.empty()),
                    value("SLOWER", Reader::slower).orElse(DEFAULT_SLOWER),
                    new Network(
                            value("NET", Reader::isConnected).orElse(true),
                            value("ADDRESS", Reader::address),
                            value("PEERS", Reader::peers).orElseGet(Reader::defaultPeers),
                            value("BEYOND_LOOPBACK", Reader::isOn).orElse(false)),
                    new Disturbances(
                            value("FAULTS", Reader::path),
                            value("REFUSE", text -> RefusalPlan.parse(text, refusable))
                                    .orElseGet(RefusalPlan::none)),
                    value("REPORT", Reader::path),
                    value("EXPLAIN", Reader::isOn).orElse(false));
        }

        private <T> Optional<T> value(String name, Function<String, T> read) {
            String variable = "HCA_VERBS_" + name;
            String text = variables.getOrDefault(variable, "");
            if (text.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(read.apply(text));
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(variable + " is \"" + text + "\"; " + wrong.getMessage(), wrong);
            }
        }

        private static Profile profile(String text) {
            return Profile.find(text)
                    .orElseThrow(() -> new IllegalArgumentException("allowed are "
                            + Profile.ALL.stream().map(Profile::name).collect(Collectors.joining(", "))));
        }

        private static String name(String text) {
            if (!text.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,31}")) {
                throw new IllegalArgumentException("up to 32 letters, digits, - and _ are allowed");
            }
            return text;
        }

        private static long seed(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException wrong) {
                throw new IllegalArgumentException("a number of 64 bits is allowed", wrong);
            }
        }

        private static int slower(String text) {
            if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > MAX_SLOWER) {
                throw new IllegalArgumentException("a factor of 1 to " + MAX_SLOWER + " is allowed");
            }
            return Integer.parseInt(text);
        }

        private static boolean isConnected(String text) {
            return switch (text) {
                case "udp" -> true;
                case OFF -> false;
                default -> throw new IllegalArgumentException("udp and off are allowed");
            };
        }

        private static boolean isOn(String text) {
            return switch (text) {
                case ON, "1" -> true;
                case OFF, "0" -> false;
                default -> throw new IllegalArgumentException("on and off are allowed");
            };
        }

        private static InetAddress address(String text) {
            try {
                // A name is never looked up.
                return Gid.parse(text).toInetAddress();
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException("an address such as 127.0.0.2 is allowed", wrong);
            }
        }

        private static Map<InetAddress, String> peers(String text) {
            Map<InetAddress, String> all = new LinkedHashMap<>();
            for (String entry : text.split(",", -1)) {
                String[] parts = entry.strip().split("=", 2);
                InetAddress at = address(parts[0]);
                all.put(at, parts.length == 1 ? at.getHostAddress() : name(parts[1]));
            }
            return all;
        }

        private static Map<InetAddress, String> defaultPeers() {
            Map<InetAddress, String> all = new LinkedHashMap<>();
            for (int host = FIRST_HOST; host <= LAST_HOST; host++) {
                InetAddress at = loopback(host);
                all.put(at, at.getHostAddress());
            }
            return all;
        }

        private static Path path(String text) {
            try {
                return Path.of(text);
            } catch (InvalidPathException wrong) {
                throw new IllegalArgumentException("the name of a file is allowed", wrong);
            }
        }
    }

    /** Returns a host of 127.0.0.0/24. */
    static InetAddress loopback(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of 4 bytes is always legal", impossible);
        }
    }
}
