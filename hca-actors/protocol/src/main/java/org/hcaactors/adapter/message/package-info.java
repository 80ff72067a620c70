// SPDX-License-Identifier: Apache-2.0
/** Messages and packets: segmentation, reassembly, payloads, and lengths. */
@NullMarked
package org.hcaactors.adapter.message;

import org.jspecify.annotations.NullMarked;
