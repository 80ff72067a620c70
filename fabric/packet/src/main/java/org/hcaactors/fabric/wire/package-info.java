// SPDX-License-Identifier: Apache-2.0
/** RoCEv2 codec: Ethernet, IP, UDP, transport headers, ICRC. */
@NullMarked
package org.hcaactors.fabric.wire;

import org.jspecify.annotations.NullMarked;
