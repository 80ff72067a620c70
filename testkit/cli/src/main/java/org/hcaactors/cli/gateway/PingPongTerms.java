// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import org.hcaactors.api.address.PathMtu;
import org.hcaactors.lab.pair.Transport;

/**
 * Settings that both ends of a ping-pong share, and do not send.
 *
 * @param transport RC, UC or UD
 * @param bytes length of each message; for a server the greatest length
 */
public record PingPongTerms(Transport transport, PathMtu mtu, int bytes) {}
