// SPDX-License-Identifier: Apache-2.0
/** Messages and packets: cutting and joining, payloads, lengths. */
@NullMarked
package org.hcaactors.adapter.message;

import org.jspecify.annotations.NullMarked;
