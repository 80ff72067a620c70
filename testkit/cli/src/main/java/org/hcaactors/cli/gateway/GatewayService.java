// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;

/** A service of a gateway, until it is closed. Any thread. */
public sealed interface GatewayService extends AutoCloseable permits TcpService, ConnectionService, PerftestCmService {
    /** Returns where clients find it, for example {@code TCP 127.0.0.2 port 18515}. */
    String place();

    /** Returns the TCP port, or that of the adapter. */
    int port();

    @Override
    void close() throws IOException;
}
