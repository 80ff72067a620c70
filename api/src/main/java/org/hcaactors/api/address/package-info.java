// SPDX-License-Identifier: Apache-2.0
/** Where a peer is: a port's address, the path there, and the datagram queue pair or dynamically connected target behind it. */
@NullMarked
package org.hcaactors.api.address;

import org.jspecify.annotations.NullMarked;
