// SPDX-License-Identifier: Apache-2.0
/** The RoCEv2 codec for every border: Ethernet, IP, UDP, transport headers, ICRC. */
@NullMarked
package org.hcaactors.fabric.wire;

import org.jspecify.annotations.NullMarked;
