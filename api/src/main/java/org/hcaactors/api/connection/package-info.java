// SPDX-License-Identifier: Apache-2.0
/** Connections by communication management ({@code rdma_cm}): listeners, requests, and connections with a queue pair of their own. */
@NullMarked
package org.hcaactors.api.connection;

import org.jspecify.annotations.NullMarked;
