// SPDX-License-Identifier: Apache-2.0
/** Communication management as an actor behind queue pair 1 of an adapter, and the handles of listeners, requests and connections. */
@NullMarked
package org.hcaactors.actors.connection;

import org.jspecify.annotations.NullMarked;
